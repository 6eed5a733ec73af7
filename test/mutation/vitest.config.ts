import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { areaOf } from './areas.ts';

const { tests } = areaOf(process.env.AREA);

/** A mutant that a fast file catches never waits for the property tests. */
class AsListed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => tests.indexOf(relative(process.cwd(), moduleId));
    return files.toSorted((one, other) => place(one) - place(other));
  }
}

/** The tests of the area, with the sizes and the cases of `npm test`: another run gives the same score. */
export default defineConfig({
  test: {
    root: process.cwd(),
    include: [...tests],
    setupFiles: ['test/fixed-cases.ts', 'test/mutation/setup.ts'],
    env: { FULL_SIZE: 'no' },
    // A mutant ends with its first failing test: what it changes reaches no other, and one process loads the code once.
    isolate: false,
    sequence: { sequencer: AsListed },
    testTimeout: 120_000,
  },
});
