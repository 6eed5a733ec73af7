import { describe, expect, it } from 'vitest';
import { maxUnitsPerPartition, partitionLoads } from '#tools/capacity/partition-load.ts';

describe('a load of 10,000 webhooks a second of one type', () => {
  it.each(partitionLoads(10_000))('leaves each partition of $index below its limit: $load', ({ most }) => {
    expect(most).toBeLessThan(maxUnitsPerPartition);
  });
});
