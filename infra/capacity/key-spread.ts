import { hash } from 'node:crypto';

/** How evenly keys spread over the partitions of a table. */
export type KeySpread = {
  readonly partitions: number;
  /** Keys in the partition with most and with fewest, as a share of the mean. */
  readonly most: number;
  readonly fewest: number;
  /** Of the keys of any one second, in the partition with most. */
  readonly mostInOneSecond: number;
};

/**
 * Spreads keys over partitions by a hash. The hash of DynamoDB is not public: MD5 stands for it.
 *
 * @param keys one for each write, in the order of the writes
 * @param perSecond writes in a second
 * @param partitions a power of two
 */
export function spreadKeys(keys: Iterable<string>, perSecond: number, partitions: number): KeySpread {
  const counts = new Uint32Array(partitions);
  let second = new Uint32Array(partitions);
  let mostInOneSecond = 0;
  let written = 0;
  for (const key of keys) {
    const partition = Number.parseInt(hash('md5', key, 'hex').slice(0, 8), 16) % partitions;
    counts[partition] = (counts[partition] ?? 0) + 1;
    second[partition] = (second[partition] ?? 0) + 1;
    mostInOneSecond = Math.max(mostInOneSecond, second[partition] ?? 0);
    written += 1;
    if (written % perSecond === 0) second = new Uint32Array(partitions);
  }
  const mean = written / partitions;
  return {
    partitions,
    most: Math.max(...counts) / mean,
    fewest: Math.min(...counts) / mean,
    mostInOneSecond,
  };
}
