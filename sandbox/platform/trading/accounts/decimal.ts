import * as z from 'zod';

/** Decimals that money, prices and quantities have at the most. */
export const moneyDigits = 2;
export const priceDigits = 4;
export const quantityDigits = 4;

export const money = decimal(z.number().positive(), moneyDigits, 1e9);
export const quantity = decimal(z.number().positive(), quantityDigits, 1e6);
export const price = decimal(z.number().positive(), priceDigits, 1e6);

/** What balances and positions are made: 0 is none. */
export const balance = decimal(z.number().min(0), moneyDigits, 1e9);
export const position = decimal(z.number().min(0), quantityDigits, 1e6);

/** A number as it comes in JSON, with so many decimals at the most. */
function decimal(number: z.ZodNumber, digits: number, most: number) {
  return number
    .max(most)
    .refine((value) => isExact(value, digits), `must have ${digits} decimals at the most`)
    .describe(`With ${digits} decimals at the most`);
}

/** The number in units of its last decimal: calculated with exactly. */
export function toUnits(value: number, digits: number): bigint {
  return BigInt(Math.round(value * 10 ** digits));
}

/** The number again: the one that is written with just these decimals. */
export function fromUnits(units: bigint, digits: number): number {
  return Number(units) / 10 ** digits;
}

/** What a quantity costs at a price: all in units, half a cent rounded up. */
export function costOf(quantityUnits: bigint, priceUnits: bigint): bigint {
  const unit = 10n ** BigInt(priceDigits + quantityDigits - moneyDigits);
  return (quantityUnits * priceUnits + unit / 2n) / unit;
}

function isExact(value: number, digits: number): boolean {
  // A number that JSON allows, such as 1e308, can be infinite in these units.
  return Number.isFinite(value * 10 ** digits) && fromUnits(toUnits(value, digits), digits) === value;
}
