import { beforeAll, describe, expect, it } from 'vitest';
import { size } from '#test/full-size.ts';
import { runHistory } from './history.ts';
import { promiseNumbers, promises } from './promises/promise.ts';
import { regressions } from './regressions.ts';
import { type RunResult, runSeeds } from './run-seeds.ts';
import { createPlatformAppForAll } from './system/platform-app.ts';

/** `npm run verify` runs 2,000. `npm run simulate` runs a chosen number, and prints the trace of a failing history. */
const seeds = size(100, 2_000);

let result: RunResult;
beforeAll(async () => {
  result = await runSeeds({ seed: 1, seeds, workers: 2 });
});

describe('the simulation', () => {
  it('ends each history without an error', () => {
    expect(result.done).toBe(seeds);
    expect(result.failures.filter(({ broken }) => broken === undefined)).toEqual([]);
  });

  it.each(Object.entries(promises))('keeps promise %s: %s', (promise) => {
    expect(result.failures.filter(({ broken }) => String(broken?.promise) === promise)).toEqual([]);
  });

  it('keeps every promise without faults', async () => {
    const { broken } = await runHistory({ seed: 1, kinds: [] }, { app: createPlatformAppForAll() });
    expect(broken).toBeUndefined();
  });

  it('checks every promise many times', () => {
    const seldom = [...result.judgements].filter(([, times]) => times < seeds / 3);
    expect(seldom).toEqual([]);
    expect(result.judgements.size).toBe(promiseNumbers.length);
  });

  it('contains every kind of fault, but for the rarest in a small run', () => {
    const never = [...result.counts].flatMap(([kind, times]) => (times === 0 ? [kind] : []));
    expect(never.length, String(never)).toBeLessThanOrEqual(size(2, 0));
    expect(result.counts.size).toBeGreaterThanOrEqual(24);
  });
});

describe('a history that broke a promise in the past', () => {
  it.each(regressions)('has no broken promise: $why', async ({ history }) => {
    expect((await runHistory(history, { app: createPlatformAppForAll() })).broken).toBeUndefined();
  });

  it.each(regressions.map(({ history, bug }) => ({ bug, seed: history.seed })))(
    'breaks a promise again with the planted bug "$bug.name" (seed $seed)',
    async ({ bug, seed }) => {
      const { failures } = await runSeeds({ seed, seeds: 1, workers: 1, bug });
      expect(bug.breaks).toContain(failures[0]?.broken?.promise);
    },
  );
});
