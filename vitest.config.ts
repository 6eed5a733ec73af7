import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isFullSize } from './test/full-size.ts';
import { filesWithFullSize } from './test/full-size-files.ts';

/** They have threads of their own, which keep all cores busy: they begin when no other file is left to begin. */
const withThreads = [
  'test/simulation/simulation.test.ts',
  'test/simulation/bugs/catch-bugs.deep.test.ts',
  'test/simulation/exhaustive/exhaustive.test.ts',
  'test/simulation/exhaustive/catch-exhaustively.deep.test.ts',
];

/** They check what all other tests did. So they only run after all of them: `vitest run` without a filter. */
const after = 'test/**/*.after.test.ts';
const isWholeRun = !isFullSize && process.argv.slice(2).join(' ') === 'run';

/** They have no small form. */
const deep = 'test/**/*.deep.test.ts';

/** Each has a browser, and processes for the functions: several at a time would wait for each other on a machine with two cores. */
const deepConsole = 'test/console/**/*.deep.test.ts';

/** `npm run verify` runs the deep tests, at full size what `npm test` runs in small form, and nothing else. */
const files = isFullSize ? [...filesWithFullSize(), deep] : ['test/**/*.test.ts'];
const withThreadsNow = withThreads.filter((path) =>
  path.endsWith('.deep.test.ts') ? isFullSize : !isFullSize || files.includes(path),
);

/** They wait long for processes, so that the cores would idle if they were the last. A clean clone knows no durations. */
const longest = [
  'test/package/init.deep.test.ts',
  'test/end-to-end/npm-start.deep.test.ts',
  'test/end-to-end/onboarding-faults.deep.test.ts',
  'test/end-to-end/recover.deep.test.ts',
  'test/end-to-end/runbooks.deep.test.ts',
  'test/end-to-end/cli-writes.test.ts',
  'test/end-to-end/cli-listen.test.ts',
];

class Sequencer extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications);
    const rankOf = ({ moduleId }: TestSpecification) => {
      if (withThreads.some((path) => moduleId.endsWith(`/${path}`))) return longest.length + 1;
      const rank = longest.findIndex((path) => moduleId.endsWith(`/${path}`));
      return rank < 0 ? longest.length : rank;
    };
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

// Processes, sockets and a CDK synthesis on a machine that may be busy. No test asserts a time.
const time = isFullSize ? 900_000 : 180_000;
const limits = {
  testTimeout: time,
  hookTimeout: time,
  // Most polls ask a hosted function: more often would only keep the cores busy.
  expect: { poll: { timeout: isFullSize ? 120_000 : 30_000, interval: 250 } },
  // The CDK's own rules take most of a synthesis. They are checked once, at full size, for the stacks that all tests share.
  env: { CDK_VALIDATION: 'false' },
};

/** Of tests that host the stacks. */
const hosted = {
  setupFiles: ['test/fixed-cases.ts', 'test/globals-of-node.ts'],
  globalSetup: ['test/synthesized-stacks.ts'],
};

/** In milliseconds: beside other work, and at the low priority that `npm run verify` gives them. */
const timeOfHistories = 3_600_000;

/** Some tests wait for what really happens, so that two workers would leave two cores idle. */
const maxWorkers = 4;

export default defineConfig({
  test: {
    sequence: { sequencer: Sequencer },
    projects: [
      {
        test: {
          ...limits,
          name: 'tests',
          include: files,
          ...hosted,
          exclude: isFullSize ? [...withThreads, deepConsole] : [...withThreads, deep, after],
          maxWorkers,
          // No test changes a module, the environment or a global for another: a process of its own would only cost time.
          isolate: false,
        },
      },
      {
        test: {
          ...limits,
          name: 'simulation',
          include: withThreadsNow,
          testTimeout: timeOfHistories,
          hookTimeout: timeOfHistories,
          maxWorkers,
          isolate: false,
        },
      },
      {
        test: {
          ...limits,
          ...hosted,
          name: 'console',
          include: isFullSize ? [deepConsole] : [],
          maxWorkers: 1,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...limits,
          name: 'after',
          include: isWholeRun ? [after] : [],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
