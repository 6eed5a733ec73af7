import * as z from 'zod';

/** Decimals that money, prices and quantities have at the most. */
export const moneyDigits = 2;
export const priceDigits = 4;
export const quantityDigits = 4;

/** A number above 0 as it comes in JSON, with so many decimals at the most. */
export function positiveDecimal(digits: number, most: number) {
  return z
    .number()
    .positive()
    .max(most)
    .refine((value) => isExact(value, digits), `must have ${digits} decimals at the most`)
    .describe(`With ${digits} decimals at the most`);
}

export const money = positiveDecimal(moneyDigits, 1e9);
export const price = positiveDecimal(priceDigits, 1e6);
export const quantity = positiveDecimal(quantityDigits, 1e6);

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
  return fromUnits(toUnits(value, digits), digits) === value;
}
