import { describe, expect, it } from 'vitest';
import { measuredLists, measurePages } from './measured-lists.ts';
import { maxUnitsPerPartition, partitionLoads } from './partition-load.ts';

describe('the lists of the API', () => {
  it('take about as many read units and queries for a page deep in the list as for the first page', async () => {
    for (const list of measuredLists(5_000, 20)) {
      const pages = await measurePages(list, [1, 20]);
      const [first, deep] = [pages.at(0), pages.at(-1)];
      expect(deep?.readUnits ?? 0, list.name).toBeLessThanOrEqual(2 * (first?.readUnits ?? 0));
      expect(deep?.queries ?? 0, list.name).toBeLessThanOrEqual(2 * (first?.queries ?? 0));
    }
  });
});

describe('10,000 webhooks a second of one type', () => {
  it.each(partitionLoads(10_000))('leave each partition of $index below its limit: $load', ({ most }) => {
    expect(most).toBeLessThan(maxUnitsPerPartition);
  });
});
