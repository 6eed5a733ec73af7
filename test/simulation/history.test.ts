import { describe, expect, it } from 'vitest';
import { runHistory } from './history.ts';
import { minimise } from './minimise.ts';
import { createPlatformAppForAll } from './system/platform-app.ts';

const app = createPlatformAppForAll();

describe('a history of the simulation', () => {
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
