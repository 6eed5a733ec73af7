import { describe, expect, it } from 'vitest';
import { everyNth } from '#test/full-size.ts';
import { chosenFaultKinds } from './faults/fault-kinds.ts';
import { runHistory } from './history.ts';
import { minimise } from './minimise.ts';
import { createPlatformAppForAll } from './system/platform-app.ts';
import { traceHistory } from './trace.ts';

const app = createPlatformAppForAll();

describe('a history of the simulation', () => {
  // Some of these seeds have onboardings, and some have none: of those in `npm test`, seed 36 has.
  it.each(everyNth(3, [1, 2, 3, 4, 5, 6, 36]))(
    'has the same trace, byte for byte, when seed %i runs again',
    async (seed) => {
      const first = await traceHistory({ seed, kinds: chosenFaultKinds }, { app });
      await runHistory({ seed: seed + 100 }, { app });
      const second = await traceHistory({ seed, kinds: chosenFaultKinds }, { app });
      expect(second).toBe(first);
      expect(first.split('\n').length).toBeGreaterThan(100);
    },
  );

  it('has the same steps with and without a trace', async () => {
    const { steps } = await runHistory({ seed: 7 }, { app });
    const traced = await runHistory({ seed: 7 }, { app, trace: () => undefined });
    expect(traced.steps).toBe(steps);
  });
});

describe('a minimised history', () => {
  it('keeps only what breaks the promise', async () => {
    // Every history fails in the same way here, so that minimising can remove all of it.
    const failing = await runHistory({ seed: 1, kinds: ['lost request', 'slow I/O', 'cold start'] }, { app });
    const smallest = await minimise({ ...failing, broken: undefined }, { app });
    expect(smallest.kinds).toEqual([]);
    expect(smallest.leftOut).toHaveLength(failing.actions.length);
  });
});
