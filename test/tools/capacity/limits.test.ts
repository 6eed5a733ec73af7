import { describe, expect, it } from 'vitest';
import { readCountedUsage } from '#cli/cost/counted-usage.ts';
import { firstLimits, webhookLimits } from '#tools/capacity/limits.ts';

const limits = (callsPerSecond: number, listEvents = false) =>
  webhookLimits({
    usage: readCountedUsage(),
    region: 'eu-central-1',
    settings: {
      webhookThrottle: { rate: 2_000, burst: 4_000 },
      storeConcurrency: 50,
      listEvents,
      listEntities: false,
      listLanes: 16,
      reconciliation: {
        everyHours: 1,
        callsPerSecond,
        graceMinutes: 15,
        listEveryHours: 24,
        readBackAfterHours: 6,
        staleAfterHours: 168,
      },
    },
    partitions: 16,
  });

/** Names of what a rate exceeds. */
const exceeded = (rate: number, callsPerSecond = 5) =>
  firstLimits(limits(callsPerSecond), rate)
    .filter(({ need, has }) => need(rate) > has)
    .map(({ name }) => name);

describe('the limits of a rate of webhooks', () => {
  it('names the calls of reconcile from the rate on at which they are fewer than what is due', () => {
    expect(exceeded(88)).toEqual([]);
    expect(exceeded(89)).toEqual([expect.stringContaining('callsPerSecond')]);
    expect(exceeded(1_765, 100)).not.toContainEqual(expect.stringContaining('callsPerSecond'));
    expect(exceeded(1_766, 100)).toContainEqual(expect.stringContaining('callsPerSecond'));
  });

  it('names the index of due entities from the rate on at which keys in one partition are throttled', () => {
    const index = expect.stringContaining('16 keys in 16 partitions');
    expect(exceeded(3_000)).not.toContainEqual(index);
    expect(exceeded(3_100)).toContainEqual(index);
  });

  it('names the lanes of a list only where the environment has one', () => {
    const lanes = expect.objectContaining({ name: expect.stringContaining('16 lanes in 4 partitions') });
    expect(limits(5)).not.toContainEqual(lanes);
    const [limit] = limits(5, true).filter(({ name }) => name.includes('16 lanes in 4 partitions'));
    expect(limit?.has).toBe(2_000);
  });
});
