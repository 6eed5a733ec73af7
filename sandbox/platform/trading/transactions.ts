import * as z from 'zod';
import { dateTime } from '#sandbox/platform/core/fields.ts';
import { costOf, fromUnits, moneyDigits } from './accounts/decimal.ts';
import type { Order } from './orders/order.ts';
import { transactionStatusOfOrder } from './orders/order-states.ts';
import { transactionStatus } from './transaction-status.ts';
import type { Transfer } from './transfers/transfer.ts';
import { transactionStatusOfTransfer } from './transfers/transfer-states.ts';

export const transaction = z
  .strictObject({
    orderId: z.uuid().optional(),
    transferId: z.uuid().optional(),
    status: transactionStatus,
    amount: z.number().describe('What it brought to the cash balance; below 0 where it took from it'),
    modifiedOn: dateTime,
  })
  .meta({ id: 'Transaction' });

export type Transaction = z.infer<typeof transaction>;

/** The transactions of orders and transfers (section 3.5): derived, never stored. */
export function transactionsOf(orders: readonly Order[], transfers: readonly Transfer[]): Transaction[] {
  return [...orders.flatMap(ofOrder), ...transfers.flatMap(ofTransfer)];
}

function ofOrder({ status, side, execution, orderId, modifiedOn }: Order): readonly Transaction[] {
  const derived = transactionStatusOfOrder[status];
  if (derived === undefined || execution === undefined) return [];
  const cost = fromUnits(costOf(execution.quantity, execution.price), moneyDigits);
  return [{ orderId, status: derived, amount: side === 'BUY' ? -cost : cost, modifiedOn }];
}

function ofTransfer({ status, direction, amount, transferId, modifiedOn }: Transfer): readonly Transaction[] {
  const derived = transactionStatusOfTransfer[status];
  if (derived === undefined) return [];
  const money = fromUnits(amount, moneyDigits);
  return [{ transferId, status: derived, amount: direction === 'OUT' ? -money : money, modifiedOn }];
}
