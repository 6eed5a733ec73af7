import { maxUnitsPerPartition } from './partition-load.ts';

export type Placement = { readonly lanes: number; readonly partitions: number };

/** Of all placements, the part in which a list takes the rate. */
const confidence = 0.95;

/**
 * The write units a second that equally full lanes take, if several can be in one partition.
 *
 * Assumes that DynamoDB places each lane in one of the partitions by a hash, and that no partition has been split for heat.
 */
export function laneRate(placement: Placement): number {
  const { lanes } = placement;
  const most = Array.from({ length: lanes }, (_, lane) => lane + 1);
  const together = most.find((count) => chanceOfAtMost(count, placement) >= confidence) ?? lanes;
  return Math.floor((lanes / together) * maxUnitsPerPartition);
}

/** The chance that no partition has more than so many lanes. */
function chanceOfAtMost(most: number, { lanes, partitions }: Placement): number {
  // By the lanes that are not placed yet: the chance of so many, after each partition has taken its own.
  let left: readonly number[] = Array.from({ length: lanes + 1 }, (_, count) => (count === lanes ? 1 : 0));
  for (let others = partitions - 1; others >= 0; others -= 1) {
    const after = Array.from({ length: lanes + 1 }, () => 0);
    for (const [count, chance] of left.entries())
      for (let taken = 0; taken <= Math.min(most, count); taken += 1)
        after[count - taken] = (after[count - taken] ?? 0) + chance * binomial(count, taken, 1 / (others + 1));
    left = after;
  }
  return left[0] ?? 0;
}

/** The chance that so many of all succeed, each with this chance. */
function binomial(all: number, many: number, chance: number): number {
  let result = chance ** many * (1 - chance) ** (all - many);
  for (let index = 1; index <= many; index += 1) result *= (all - many + index) / index;
  return result;
}
