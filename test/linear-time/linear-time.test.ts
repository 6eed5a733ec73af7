import { describe, expect, it } from 'vitest';
import { growthOf } from './cpu-time.ts';
import { hostileTexts } from './hostile-texts.ts';
import { readers } from './readers.ts';

/** Sizes are in characters. Linear work takes twice as long for twice the size, quadratic work four times. */
const limits = { smallest: 20_000, largest: 10_240_000, floor: 2, maxRatio: 3 };

/** In milliseconds: what is written here is compared for a longer time than what calls JSON.parse alone. */
const scannerFloor = 10;

describe('each reader of what the platform or the partner has written', () => {
  it.each(hostileTexts)('takes linear time for hostile texts of up to 10 MB: $name', ({ make }) => {
    const texts = new Map<number, string>();
    const textOf = (size: number) => texts.get(size) ?? texts.set(size, make(size)).get(size) ?? '';
    const growths = readers.map(({ name, read, isScanner }) => {
      const prepare = (size: number) => {
        const text = textOf(size);
        return () => read(text);
      };
      return { reader: name, ...growthOf(prepare, { ...limits, floor: isScanner ? scannerFloor : limits.floor }) };
    });
    expect(growths.filter(({ ratio }) => ratio >= limits.maxRatio)).toEqual([]);
  });
});

describe('the comparison of times', () => {
  it('finds work that takes quadratic time', () => {
    const { ratio } = growthOf((size) => () => void /0+$/.test(`${'0'.repeat(size)}x`), {
      ...limits,
      smallest: 1_000,
      floor: 20,
    });
    expect(ratio).toBeGreaterThan(limits.maxRatio);
  });
});
