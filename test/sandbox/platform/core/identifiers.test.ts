import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIdentifiers } from '#sandbox/platform/core/identifiers.ts';
import { createRandom } from '#sandbox/random.ts';

const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const someOf = (seed: number, count: number) => {
  const newId = createIdentifiers(createRandom(seed));
  return Array.from({ length: count }, newId);
};

describe('section 2: identifiers are UUIDs', () => {
  it('of version 4, for any seed', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        for (const id of someOf(seed, 20)) expect(id).toMatch(version4);
      }),
    );
  });

  it.each([0, 0.5, 1 - 2 ** -32])('of version 4, too, where the numbers are always %d', (number) => {
    expect(createIdentifiers(() => number)()).toMatch(version4);
  });

  it('no two of 200,000 are the same', () => {
    expect(new Set(someOf(1, 200_000)).size).toBe(200_000);
  });
});

describe('design, the sandbox platform: all from a seed', () => {
  it('the same seed gives the same identifiers, another seed others', () => {
    expect(someOf(7, 5)).toEqual(someOf(7, 5));
    expect(someOf(7, 5)).not.toEqual(someOf(8, 5));
  });
});
