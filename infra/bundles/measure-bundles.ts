/**
 * `npm run measure`: what each function's bundle weighs, and how long Node takes to load it, beside the same function
 * bundled without our cuts. The two are loaded in turn, in processes of their own: trust the ratio, not the milliseconds.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from 'commander';
import { buildSync } from 'esbuild';
import { createApp } from '#infra/create-app.ts';
import { DrawbridgeFunction } from '#infra/parts/function.ts';
import { checkSettings } from '#infra/read-settings.ts';
import { settingsDirectory } from '#infra/settings-file/settings-directory.ts';
import { laptop, readSettingsFile } from '#infra/settings-file/settings-file.ts';
import { bundleFile, bundleFunction, bundleOptions } from './bundle.ts';
import { placeholderVariables } from './placeholder-variables.ts';

const pairs = 21;

/** The functions of the stacks, without bundling them. */
function deployedFunctions(): readonly DrawbridgeFunction[] {
  const settings = checkSettings(laptop, readSettingsFile(settingsDirectory, laptop));
  const { service } = createApp({ name: laptop, settings }, { context: { 'aws:cdk:bundling-stacks': [] } });
  return service.node.findAll().filter((node) => node instanceof DrawbridgeFunction);
}

/** What Lambda adds to the variables of a function. */
const lambdaVariables = {
  AWS_ACCESS_KEY_ID: 'none',
  AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
  AWS_REGION: 'eu-central-1',
  AWS_SECRET_ACCESS_KEY: 'none',
};

const script = `
  const start = performance.now();
  require(process.argv[1]);
  process.stdout.write(String(performance.now() - start), () => process.exit());
`;

/** In milliseconds, in a process of its own. */
function load(file: string, env: Readonly<Record<string, string>>): number {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', script, file], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} does not load: ${stderr}`);
  return Number(stdout);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

program.name('npm run measure').description('Prints what each function weighs, and how long it takes to load.').parse();

const kilobytes = (file: string) => (statSync(file).size / 1000).toFixed(0);

const directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
try {
  for (const { entry, variables } of deployedFunctions()) {
    const env = { ...lambdaVariables, ...placeholderVariables(variables) };
    const ours = join(directory, entry, bundleFile);
    const whole = join(directory, entry, 'whole.js');
    bundleFunction(entry, join(directory, entry));
    buildSync({ ...bundleOptions, entryPoints: [entry], outfile: whole });
    const runs = Array.from({ length: pairs }, () => ({ ours: load(ours, env), whole: load(whole, env) }));
    const ratio = median(runs.map((run) => run.ours / run.whole)).toFixed(2);
    const [oursMedian, wholeMedian] = [runs.map((run) => run.ours), runs.map((run) => run.whole)].map(median);
    process.stdout.write(
      `${entry}: ${kilobytes(ours)} KB, ${oursMedian?.toFixed(0)} ms; without our cuts ${kilobytes(whole)} KB, ${wholeMedian?.toFixed(0)} ms; ratio ${ratio} (median of ${pairs} pairs)\n`,
    );
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
