import { defineConfig } from 'vitest/config';
import { areas } from './areas.ts';
import { InOrder } from './in-order.ts';

/** The tests of the area that is mutated; of all areas where none is. */
export default defineConfig({
  test: {
    root: process.cwd(),
    include: areas.filter(({ name }) => name === (process.env.MUTATED_AREA ?? name)).flatMap(({ tests }) => tests),
    setupFiles: ['test/mutation/setup.ts'],
    // Of the drain's properties.
    env: { RUNS: '25' },
    sequence: { sequencer: InOrder },
    testTimeout: 120_000,
  },
});
