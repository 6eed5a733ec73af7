import { defineConfig } from 'vitest/config';
import { areas } from './areas.ts';
import { InOrder } from './in-order.ts';

/** The tests of the area that is mutated; of all areas where none is. */
export default defineConfig({
  test: {
    root: process.cwd(),
    include: areas.filter(({ name }) => name === (process.env.MUTATED_AREA ?? name)).flatMap(({ tests }) => tests),
    setupFiles: ['test/fixed-cases.ts', 'tools/mutation/setup.ts'],
    // The sizes and the cases of `npm test`: the score is what each change is held to, and can be measured again.
    env: { FULL_SIZE: 'no' },
    // A mutant ends with its first failing test: what it changes reaches no other, and one process loads the code once.
    isolate: false,
    sequence: { sequencer: InOrder },
    testTimeout: 120_000,
  },
});
