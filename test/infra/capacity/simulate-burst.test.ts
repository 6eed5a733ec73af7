import { describe, expect, it } from 'vitest';
import { durations } from '#infra/capacity/assumed-durations.ts';
import type { BurstModel } from '#infra/capacity/burst/burst-model.ts';
import { BurstModelError, simulateBurst } from '#infra/capacity/burst/simulate-burst.ts';

const atOnce = (perSecond: number) => ({ rate: perSecond, burst: perSecond });

const model: BurstModel = {
  webhooksPerSecond: 1_000,
  burstSeconds: 10,
  throttle: atOnce(10_000),
  receiveConcurrency: 1_000,
  newInstances: { rate: 100, burst: 1_000 },
  storeConcurrency: 1_000,
  pollers: { first: 5, perMinute: 300 },
  writeUnits: atOnce(40_000),
  putEvents: atOnce(10_000),
  durations,
};

const lastOf = (one: BurstModel) => {
  const last = simulateBurst(one).at(-1);
  if (last === undefined) throw new Error('There is no second.');
  return last;
};

describe('a simulated burst', () => {
  it('refuses nothing and stores everything when the load is below each limit', () => {
    const last = lastOf(model);
    expect(last).toMatchObject({ delivered: 10_000, accepted: 10_000, throttled: 0, unavailable: 0, undelivered: 0 });
  });

  it.each([
    ['the throttle', { throttle: { rate: 200, burst: 400 } }, { throttled: 10_000 - 400 - 1_998, unavailable: 0 }],
    ['the instances of receive', { receiveConcurrency: 10 }, { throttled: 0 }],
  ])('counts what exceeds %s as refused, and drains it', (_, limits, expected) => {
    const seconds = simulateBurst({ ...model, ...limits });
    const ended = seconds[10];
    expect(ended).toMatchObject(expected);
    expect(ended?.undelivered).toBe((ended?.throttled ?? 0) + (ended?.unavailable ?? 0));
    const last = seconds.at(-1);
    expect(last?.delivered).toBe((last?.accepted ?? 0) + (last?.throttled ?? 0) + (last?.unavailable ?? 0));
    // The first run of drain begins after 300 seconds: a page of 20 every 200 ms.
    expect(last?.second).toBeGreaterThanOrEqual(Math.floor(300 + (ended?.undelivered ?? 0) / 100));
  });

  it('starts five batches, and as many a minute as Lambda adds', () => {
    const seconds = simulateBurst({ ...model, webhooksPerSecond: 10_000, burstSeconds: 30 });
    expect(seconds.slice(0, 5).map(({ storeBatches }) => storeBatches)).toEqual([10, 15, 20, 25, 30]);
  });

  it('queues what store cannot work on, and the age of the oldest message is the time that it waits', () => {
    const seconds = simulateBurst({ ...model, storeConcurrency: 5 });
    // 5 batches of 10 take 100 ms: 500 a second of 1,000.
    const ended = seconds[9];
    expect(ended?.queued).toBeGreaterThan(4_900);
    expect(ended?.oldestSeconds).toBeGreaterThan(4.5);
    expect(ended?.oldestSeconds).toBeLessThan(6);
  });

  it('is as slow as the tables when they throttle', () => {
    const seconds = simulateBurst({ ...model, writeUnits: atOnce(300) });
    expect(seconds[9]?.stored).toBeLessThanOrEqual(300 * 10 + 300);
    expect(seconds.at(-1)?.stored).toBeGreaterThan(9_000);
  });

  it('refuses a model in which store would exceed its time limit', () => {
    const slow = { ...model, writeUnits: atOnce(20), webhooksPerSecond: 10_000 };
    expect(() => simulateBurst(slow)).toThrow(BurstModelError);
  });
});
