import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstAbove } from '#sandbox/platform/core/sorted.ts';

const ascending = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other);
const lists = fc.array(fc.integer({ min: 0, max: 20 })).map(ascending);
const itself = (item: number) => item;

describe('sandbox platform: firstAbove', () => {
  it('finds the same first higher key as a linear search', () => {
    fc.assert(
      fc.property(lists, fc.integer({ min: -1, max: 21 }), (items, key) => {
        const found = items.findIndex((item) => item > key);
        expect(firstAbove(items, itself, key)).toBe(found === -1 ? items.length : found);
      }),
    );
  });
});
