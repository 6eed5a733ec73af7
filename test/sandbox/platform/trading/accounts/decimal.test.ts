import { describe, expect, it } from 'vitest';
import { costOf, money, moneyDigits, price, quantity, toUnits } from '#sandbox/platform/trading/accounts/decimal.ts';

describe('sandbox platform: money, prices and quantities', () => {
  it.each([
    [0.01, 1n],
    [0.29, 29n],
    [1.15, 115n],
    [8.2, 820n],
    [1_000_000_000, 100_000_000_000n],
    [999_999_999.99, 99_999_999_999n],
  ])('reads the number %d exactly', (value, units) => {
    expect(money.parse(value)).toBe(value);
    expect(toUnits(value, moneyDigits)).toBe(units);
  });

  it.each([0, -0.01, 0.001, 1.005, 0.1 + 0.2, Number.NaN, Number.POSITIVE_INFINITY, 1e-7, '1'])(
    'rejects %s as money',
    (value) => {
      expect(money.safeParse(value).success).toBe(false);
    },
  );

  it('rejects numbers that are too large for their smallest unit', () => {
    expect([money, quantity, price].map((amount) => amount.safeParse(1e308).success)).toEqual([false, false, false]);
  });

  it('rejects prices and quantities with more than four decimals', () => {
    for (const schema of [price, quantity]) {
      expect(schema.safeParse(0.0001).success).toBe(true);
      expect(schema.safeParse(0.00011).success).toBe(false);
    }
  });
});

describe('sandbox platform: costOf', () => {
  it.each([
    [1, 0.005, 1n],
    [1, 0.0049, 0n],
    [3, 33.3333, 10_000n],
    [0.0001, 0.0001, 0n],
    [1_000_000, 1_000_000, 100_000_000_000_000n],
  ])('rounds to the cent, half a cent up: %d at %d', (pieces, each, cents) => {
    expect(costOf(toUnits(pieces, 4), toUnits(each, 4))).toBe(cents);
  });
});
