import { describe, expect, it } from 'vitest';
import { everyNth } from '#test/full-size.ts';
import { growthAt, growthOf, toSixtyFourth } from './cpu-time.ts';
import { hostileTexts, largestTextsFor, textsFor } from './hostile-texts.ts';
import { readers } from './readers.ts';

/** Sizes are in characters. */
const limits = { smallest: 20_000, largest: 1_280_000, floor: 1.5, largestInDoubt: 5_120_000, sureFrom: 1_000 };

const largest = 10_240_000;

/** The texts of one kind by their size: making them takes longer than reading them. */
function remembering(make: (size: number) => string): (size: number) => string {
  const texts = new Map<number, string>();
  return (size) => texts.get(size) ?? texts.set(size, make(size)).get(size) ?? '';
}

describe('each reader of what the platform or the partner has written', () => {
  it.each(hostileTexts)('takes linear time for hostile texts: $name', (hostile) => {
    const textOf = remembering(hostile.make);
    const growths = readers
      .filter(({ kind }) => textsFor[kind].includes(hostile))
      .map(({ name, read }) => {
        const prepare = (size: number) => {
          const text = textOf(size);
          return () => read(text);
        };
        return { reader: name, ...growthOf(prepare, limits) };
      });
    expect(growths.length).toBeGreaterThan(0);
    expect(growths.filter(({ isLinear }) => !isLinear)).toEqual([]);
  });

  const largestTexts = new Map(hostileTexts.map(({ name, make }) => [name, remembering(make)]));

  it.each(everyNth(3, readers))('takes linear time for 10 MB: $name', ({ read, kind }) => {
    const growths = largestTextsFor[kind].map(({ name }) => {
      const prepare = (size: number) => {
        const text = largestTexts.get(name)?.(size) ?? '';
        return () => read(text);
      };
      return { text: name, ...growthAt(largest, prepare, toSixtyFourth) };
    });
    expect(growths.filter(({ isLinear }) => !isLinear)).toEqual([]);
  });
});

describe('the comparison of times', () => {
  /** Backtracks over a share of the text. */
  const quadratic = (size: number) => {
    const text = `${'0'.repeat(size / 20)}x`;
    return () => void /0+$/.test(text);
  };

  it('finds work that takes quadratic time', () => {
    expect(growthOf(quadratic, { ...limits, floor: 60, sureFrom: 60 }).isLinear).toBe(false);
  });

  it('finds work on 10 MB that takes quadratic time for a small share of the text', () => {
    const prepare = (size: number) => quadratic(size / 40);
    expect(growthAt(largest, prepare, toSixtyFourth).isLinear).toBe(false);
  });
});
