import { describe, expect, it } from 'vitest';
import { createIdentifiers } from '#sandbox/platform/core/identifiers.ts';
import { createRandom } from '#sandbox/platform/core/random.ts';

const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const someOf = (seed: number, count: number) => {
  const newId = createIdentifiers(createRandom(seed));
  return Array.from({ length: count }, newId);
};

describe('sandbox platform: identifiers are UUIDs (section 2)', () => {
  it.each([0, 0.5, 1 - 2 ** -32])('creates UUIDs of version 4 when the random numbers are always %d', (number) => {
    expect(createIdentifiers(() => number)()).toMatch(version4);
  });

  it('creates 5,000 different identifiers', () => {
    expect(new Set(someOf(1, 5_000)).size).toBe(5_000);
  });

  it('creates the same identifiers for the same seed, and others for another', () => {
    expect(someOf(7, 5)).toEqual(someOf(7, 5));
    expect(someOf(7, 5)).not.toEqual(someOf(8, 5));
  });
});
