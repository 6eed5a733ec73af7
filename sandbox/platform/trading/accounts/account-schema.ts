import * as z from 'zod';
import { type Account, type AccountChange, withdrawable } from './accounts.ts';
import { balance, fromUnits, moneyDigits, position, quantityDigits, toUnits } from './decimal.ts';
import { isin } from './isin.ts';

/** What a natural person has. */
export const account = z
  .strictObject({
    cash: z.number(),
    settledCash: z.number().describe('The part of cash that can be withdrawn: the rest is of sales not SETTLED'),
    positions: z.array(z.strictObject({ isin: z.string(), quantity: z.number() })),
  })
  .meta({ id: 'Account' });

/** What an account is made. 0 is none. */
export const accountChange = z
  .strictObject({
    cash: balance.optional(),
    positions: z
      .array(z.strictObject({ isin, quantity: position }))
      .optional()
      .describe('Those that are not given stay'),
  })
  .meta({ id: 'AccountChange' });

export function toAccountView(of: Account): z.infer<typeof account> {
  return {
    cash: fromUnits(of.cash, moneyDigits),
    settledCash: fromUnits(withdrawable(of), moneyDigits),
    positions: [...of.positions].map(([isin, units]) => ({ isin, quantity: fromUnits(units, quantityDigits) })),
  };
}

export function toAccountChange({ cash, positions = [] }: z.infer<typeof accountChange>): AccountChange {
  return {
    cash: cash === undefined ? undefined : toUnits(cash, moneyDigits),
    positions: new Map(positions.map(({ isin, quantity }) => [isin, toUnits(quantity, quantityDigits)])),
  };
}
