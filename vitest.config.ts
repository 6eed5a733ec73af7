import { defineConfig } from 'vitest/config';

/** They have threads of their own, which keep all cores busy: each comes by itself, once all others are done. */
const withThreads = [
  'test/simulation/simulation.test.ts',
  'test/simulation/bugs/catch-bugs.test.ts',
  'test/simulation/exhaustive/exhaustive.test.ts',
  'test/simulation/exhaustive/catch-exhaustively.test.ts',
];

// Processes, sockets and a CDK synthesis on a machine that may be busy. No test asserts a time.
const limits = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...limits,
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: withThreads,
          globalSetup: ['test/synthesized-stacks.ts'],
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...limits,
          name: 'simulation',
          include: withThreads,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
