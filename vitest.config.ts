import { defineConfig } from 'vitest/config';
import { isFullSize } from './test/full-size.ts';
import { filesWithFullSize } from './test/full-size-files.ts';

/** They have threads of their own, which keep all cores busy: each comes by itself, once all others are done. */
const withThreads = [
  'test/simulation/simulation.test.ts',
  'test/simulation/bugs/catch-bugs.test.ts',
  'test/simulation/exhaustive/exhaustive.test.ts',
  'test/simulation/exhaustive/catch-exhaustively.test.ts',
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
const withThreadsNow = isFullSize
  ? withThreads.filter((path) => files.includes(path) || path.includes('.deep.'))
  : withThreads;

// Processes, sockets and a CDK synthesis on a machine that may be busy. No test asserts a time.
const time = isFullSize ? 900_000 : 180_000;
const limits = {
  testTimeout: time,
  hookTimeout: time,
  expect: { poll: { timeout: isFullSize ? 120_000 : 30_000 } },
  // The CDK's own rules take most of a synthesis. They are checked once, for the stacks that all tests share.
  env: { CDK_VALIDATION: 'false' },
};

/** Of tests that host the stacks. */
const hosted = {
  setupFiles: ['test/fixed-cases.ts', 'test/globals-of-node.ts'],
  globalSetup: ['test/synthesized-stacks.ts'],
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...limits,
          name: 'tests',
          include: files,
          ...hosted,
          exclude: isFullSize ? [...withThreads, deepConsole] : [...withThreads, deep, after],
          // Some tests wait for what really happens, so that two workers would leave two cores idle.
          maxWorkers: 4,
          // No test changes a module, the environment or a global for another: a process of its own would only cost time.
          isolate: false,
        },
      },
      {
        test: {
          ...limits,
          name: 'simulation',
          include: withThreadsNow,
          exclude: isFullSize ? [] : [deep],
          maxWorkers: 1,
          isolate: false,
          sequence: { groupOrder: 1 },
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
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...limits,
          name: 'after',
          include: isWholeRun ? [after] : [],
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
