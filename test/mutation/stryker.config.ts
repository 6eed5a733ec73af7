import { areaOf } from './areas.ts';

const { files, minScore } = areaOf(process.env.AREA);

/** For `stryker run`: it mutates the files of the area that the environment variable AREA names. README.md has the command. */
const options = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: true },
  // The preprocessor of tsconfig files needs the API that TypeScript 7 no longer has; no file of this name exists.
  tsconfigFile: 'test/mutation/no-tsconfig.json',
  mutate: files,
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // In milliseconds, beside one and a half times the time of the tests: only what never ends takes this long on an idle machine.
  timeoutMS: 30_000,
  thresholds: { high: 100, low: minScore, break: minScore },
  reporters: ['progress-append-only', 'clear-text'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  warnings: false,
  ignorePatterns: ['/.stryker-tmp'],
};

// StrykerJS takes no named export.
export default options;
