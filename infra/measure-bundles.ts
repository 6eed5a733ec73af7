/**
 * `npm run measure`: what each function's bundle weighs, and how long Node takes to load it, beside the same function
 * bundled without our cuts. The two are loaded in turn, in processes of their own: trust the ratio, not the milliseconds.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from 'commander';
import { buildSync } from 'esbuild';
import { bundleFunction, bundleOptions, repositoryRoot } from './bundle.ts';

const pairs = 21;

/** Enough for every function to load; nothing listens there. */
const variables = {
  AWS_ACCESS_KEY_ID: 'none',
  AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
  AWS_REGION: 'eu-central-1',
  AWS_SECRET_ACCESS_KEY: 'none',
  CALLS_PER_SECOND: '1',
  CHECKPOINTS_TABLE: 'none',
  ENTITIES_TABLE: 'none',
  EVENTS_TABLE: 'none',
  EVENT_BUS: 'none',
  EVENT_RETENTION_DAYS: '1',
  GRACE_MINUTES: '1',
  ONBOARDINGS_TABLE: 'none',
  ONBOARDING_QUEUE_URL: 'http://127.0.0.1:9/none',
  PLATFORM_AUTH_URL: 'http://127.0.0.1:9',
  PLATFORM_BASE_URL: 'http://127.0.0.1:9',
  PLATFORM_CREDENTIALS_SECRET_ID: 'none',
  PLATFORM_TOKEN_SECRET_ID: 'none',
  QUEUE_URL: 'http://127.0.0.1:9/none',
  READ_BACK_AFTER_HOURS: '1',
  REQUESTOR: 'self',
  SECRET_HEADER: 'none',
  SECRET_ID: 'none',
  SECRET_OVERLAP_HOURS: '1',
  SECRET_ROTATION_DAYS: '1',
  STALE_AFTER_HOURS: '1',
  TOKEN_REFRESHES_QUEUE_URL: 'http://127.0.0.1:9/none',
  WEBHOOKS_URL: 'http://127.0.0.1:9/webhooks',
};

const script = `
  const start = performance.now();
  require(process.argv[1]);
  process.stdout.write(String(performance.now() - start), () => process.exit());
`;

/** In milliseconds, in a process of its own. */
function load(file: string): number {
  const { stdout, status } = spawnSync(process.execPath, ['-e', script, file], { env: variables });
  if (status !== 0)
    throw new Error(`${file} does not load: run it with the variables of measure-bundles.ts to see why.`);
  return Number(stdout);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

program.name('npm run measure').description('Prints what each function weighs, and how long it takes to load.').parse();

const kilobytes = (file: string) => (statSync(file).size / 1000).toFixed(0);

const directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
try {
  for (const entry of globSync('functions/*/*.lambda.ts', { cwd: repositoryRoot }).toSorted()) {
    const ours = join(directory, entry, 'index.js');
    const whole = join(directory, entry, 'whole.js');
    bundleFunction(entry, join(directory, entry));
    buildSync({ ...bundleOptions, entryPoints: [entry], outfile: whole });
    const runs = Array.from({ length: pairs }, () => ({ ours: load(ours), whole: load(whole) }));
    const ratio = median(runs.map((run) => run.ours / run.whole)).toFixed(2);
    const [oursMedian, wholeMedian] = [runs.map((run) => run.ours), runs.map((run) => run.whole)].map(median);
    process.stdout.write(
      `${entry}: ${kilobytes(ours)} KB, ${oursMedian?.toFixed(0)} ms; without our cuts ${kilobytes(whole)} KB, ${wholeMedian?.toFixed(0)} ms; ratio ${ratio} (median of ${pairs} pairs)\n`,
    );
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
