import { join } from 'node:path';
import { type CliOptions, startVitest } from 'vitest/node';
import { mutate } from '#test/simulation/bugs/planted-bug.ts';
import type { RareBug } from '#test/simulation/bugs/rare-bugs.ts';

const root = join(import.meta.dirname, '../..');

const options: CliOptions = {
  root,
  config: false,
  watch: false,
  reporters: [{}],
  setupFiles: ['test/fixed-cases.ts'],
  isolate: false,
  maxWorkers: 1,
  bail: 1,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // The cache goes by the text of a file, which has no bug.
  fsModuleCache: false,
};

/** Plants the bug, runs the test file that is to catch the bug, and gives the first test that failed: none where all passed. */
export async function catchByTest(bug: RareBug): Promise<string | undefined> {
  const plugin = {
    name: 'planted-bug',
    enforce: 'pre' as const,
    transform: (code: string, id: string) => (id === join(root, bug.file) ? mutate(bug, code) : undefined),
  };
  const vitest = await startVitest('test', [bug.heldBy], options, { plugins: [plugin] });
  try {
    const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests('failed')]);
    return tests[0]?.fullName;
  } finally {
    await vitest.close();
  }
}
