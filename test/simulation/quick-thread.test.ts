import { afterEach, describe, expect, it } from 'vitest';
import { chosenFaultKinds } from './faults/fault-kinds.ts';
import { installPlainSignals } from './scheduler/plain-signals.ts';
import { tellHistory } from './story.ts';
import { installPlainHttp } from './world/plain-http.ts';
import { createPlatformAppForAll } from './world/platform-app.ts';
import { installStoredBodies } from './world/stored-bodies.ts';

let restore: readonly (() => void)[] = [];
afterEach(() => {
  for (const one of restore) one();
});

describe('design: what makes the threads of the simulation quick changes no history', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('byte for byte: %i', async (seed) => {
    const options = seed % 2 === 0 ? { seed, kinds: chosenFaultKinds } : { seed };
    const expected = await tellHistory(options, { app: createPlatformAppForAll() });
    restore = [installStoredBodies(), installPlainHttp(), installPlainSignals()];
    expect(await tellHistory(options, { app: createPlatformAppForAll() })).toBe(expected);
  });
});
