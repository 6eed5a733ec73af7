import { describe, expect, it } from 'vitest';
import { chosenFaultKinds } from './faults/fault-kinds.ts';
import { runHistory } from './history.ts';
import { minimise } from './minimise.ts';
import { createPlatformAppForAll } from './system/platform-app.ts';
import { traceHistory } from './trace.ts';

const app = createPlatformAppForAll();

describe('design: a seed reproduces a history exactly', () => {
  // Some of them have onboardings, and some have none.
  it.each([1, 2, 3, 4, 5, 6, 36])('byte for byte: %i', async (seed) => {
    const first = await traceHistory({ seed, kinds: chosenFaultKinds }, { app });
    await runHistory({ seed: seed + 100 }, { app });
    const second = await traceHistory({ seed, kinds: chosenFaultKinds }, { app });
    expect(second).toBe(first);
    expect(first.split('\n').length).toBeGreaterThan(100);
  });

  it('whether it is told or not', async () => {
    const { steps } = await runHistory({ seed: 7 }, { app });
    const traced = await runHistory({ seed: 7 }, { app, trace: () => undefined });
    expect(traced.steps).toBe(steps);
  });

  it('and another seed another one', async () => {
    expect(await traceHistory({ seed: 8 }, { app })).not.toBe(await traceHistory({ seed: 9 }, { app }));
  });
});

describe('a history can be made less', () => {
  it('by its deeds, its kinds of faults, and single faults', async () => {
    const whole = await runHistory({ seed: 1, kinds: ['lost request'] }, { app });
    const [occurrence = ''] = whole.occurrences;
    const less = await runHistory({ seed: 1, kinds: ['lost request'], suppressed: [occurrence] }, { app });
    expect(less.occurrences).not.toContain(occurrence);
    const empty = await runHistory({ seed: 1, kinds: [], leftOut: whole.actions.map((_, number) => number) }, { app });
    expect(empty.occurrences).toEqual([]);
    expect(empty.steps).toBeLessThan(whole.steps);
  });

  it('to what breaks the promise, and no further', async () => {
    // As it would be if the promise were that no request is ever lost.
    const failing = await runHistory({ seed: 1, kinds: ['lost request', 'slow I/O', 'cold start'] }, { app });
    const smallest = await minimise({ ...failing, broken: undefined }, { app });
    expect(smallest.kinds).toEqual([]);
    expect(smallest.leftOut).toHaveLength(failing.actions.length);
  });
});
