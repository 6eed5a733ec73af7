import { describe, expect, it } from 'vitest';
import { chanceOfAtMost, laneRate } from '#tools/capacity/lane-collisions.ts';

describe('lanes in partitions', () => {
  it('have chances that follow from counting the placements', () => {
    // Of 4 * 4 * 4 placements, 4 * 3 * 2 put each lane into a partition of its own, and 4 all lanes into one.
    expect(chanceOfAtMost(1, { lanes: 3, partitions: 4 })).toBeCloseTo(24 / 64, 12);
    expect(chanceOfAtMost(2, { lanes: 3, partitions: 4 })).toBeCloseTo(60 / 64, 12);
    expect(chanceOfAtMost(3, { lanes: 3, partitions: 4 })).toBeCloseTo(1, 12);
  });

  it('take no more than their partitions do', () => {
    expect(laneRate({ lanes: 128, partitions: 1 })).toBe(1_000);
    expect(laneRate({ lanes: 3, partitions: 4 })).toBe(1_000);
  });
});
