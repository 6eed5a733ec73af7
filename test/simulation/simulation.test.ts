import { beforeAll, describe, expect, it } from 'vitest';
import { size } from '#test/full-size.ts';
import { plantedBugs } from './bugs/planted-bugs.ts';
import { rareBugs } from './bugs/rare-bugs.ts';
import { runHistory } from './history.ts';
import { promises } from './promises/promise.ts';
import { regressions } from './regressions.ts';
import { type RunResult, runSeeds } from './run-seeds.ts';
import { createPlatformAppForAll } from './system/platform-app.ts';

/** `npm run verify` runs 2,000. `npm run simulate` runs as many as it is asked for, and tells the story of a failing one. */
const seeds = size(300, 2_000);

let result: RunResult;
beforeAll(async () => {
  result = await runSeeds({ seed: 1, seeds, workers: 2 });
}, 900_000);

describe('design: the promises hold in histories with faults', () => {
  it('each ends', () => {
    expect(result.done).toBe(seeds);
    expect(result.failures.filter(({ broken }) => broken === undefined)).toEqual([]);
  });

  it.each(Object.entries(promises))('promise %s: %s', (promise) => {
    expect(result.failures.filter(({ broken }) => String(broken?.promise) === promise)).toEqual([]);
  });

  it('every kind of fault happens', () => {
    expect([...result.counts].filter(([, times]) => times === 0)).toEqual([]);
    expect(result.counts.size).toBeGreaterThanOrEqual(24);
  });
});

describe('what broke a promise once does not break it again', () => {
  it.each([...regressions, { why: 'a history without faults', history: { seed: 1, kinds: [] } }])(
    '$why',
    async ({ history }) => {
      expect((await runHistory(history, { app: createPlatformAppForAll() })).broken).toBeUndefined();
    },
  );

  it.each(regressions.flatMap(({ history, bug }) => (bug === undefined ? [] : [[bug, history.seed] as const])))(
    'but would, if %s (seed %i)',
    async (name, seed) => {
      const bug = [...plantedBugs, ...rareBugs].find((one) => one.name === name);
      const { failures } = await runSeeds({ seed, seeds: 1, workers: 1, bug });
      expect(bug?.breaks).toContain(failures[0]?.broken?.promise);
    },
  );
});
