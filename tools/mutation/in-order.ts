import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { areas } from './areas.ts';

const order = areas.flatMap(({ tests }) => tests);

/** Runs the tests of an area in its order: a mutant that a fast one catches never waits for the property tests. */
export class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => order.indexOf(relative(process.cwd(), moduleId));
    return files.toSorted((one, other) => place(one) - place(other));
  }
}
