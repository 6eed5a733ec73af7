import { afterEach, describe, expect, it } from 'vitest';
import { chosenFaultKinds } from './faults/fault-kinds.ts';
import { installPlainSignals } from './scheduler/plain-signals.ts';
import { installPlainHttp } from './system/plain-http.ts';
import { createPlatformAppForAll } from './system/platform-app.ts';
import { installStoredBodies } from './system/stored-bodies.ts';
import { traceHistory } from './trace.ts';

let restore: readonly (() => void)[] = [];
afterEach(() => {
  for (const one of restore) one();
});

describe('the fast replacements in a simulation thread', () => {
  // Seeds 6 and 7 have long histories, in which nothing else happens.
  it.each([1, 2, 3, 4, 5, 8])('leave the trace of seed %i unchanged, byte for byte', async (seed) => {
    const options = seed % 2 === 0 ? { seed, kinds: chosenFaultKinds } : { seed };
    const expected = await traceHistory(options, { app: createPlatformAppForAll() });
    restore = [installStoredBodies(), installPlainHttp(), installPlainSignals()];
    expect(await traceHistory(options, { app: createPlatformAppForAll() })).toBe(expected);
  });
});
