import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { bundleCuts, bundleFile, bundleFunction, bundleOptions } from '#infra/bundles/bundle.ts';
import { type Compared, compared, variablesOf } from '#test/bench/peers.ts';
import { receivePlan, storePhase, storePlan } from '#test/bench/plans.ts';
import type { Plan } from '#test/bench/run-sample.ts';
import { type StubServer, startStubServer } from '#test/bench/stub-server.ts';
import { cpuProfile, type SelfTimes, selfTimes } from './cpu-profile.ts';

/** How a function is bundled: with the clients of the SDK, as before, or with ours, as it is deployed. */
export const variants = ['with the SDK', 'as deployed'] as const;

export type Variant = (typeof variants)[number];

/** In milliseconds by part: of loading with the first call, and of a warm call. */
export type Profile = { readonly cold: SelfTimes; readonly warm: SelfTimes };

export type Profiles = Readonly<Record<Compared, Readonly<Record<Variant, Profile>>>>;

/** Warm calls in a profile. */
export const profiledCalls = { receive: 1_000, store: 300 } as const;

/** Of so many profiles of a cold start the fastest is shown: other work of the machine only adds. */
const coldRuns = 5;

/** In microseconds. */
const interval = 200;

const run = promisify(execFile);

function bundle(of: Compared, variant: Variant, directory: string): string {
  const entry = `functions/webhook-ingest/${of}/lambda.ts`;
  // `index.mjs` is the same. The bundle is written again, not minified, because a profile names lines.
  bundleFunction(entry, directory);
  const cuts = variant === 'as deployed' ? bundleCuts : { external: ['@smithy/core/event-streams'] };
  const outfile = join(directory, bundleFile);
  buildSync({ ...bundleOptions, ...cuts, minify: false, entryPoints: [entry], outfile });
  return outfile;
}

function planOf(of: Compared, name: string, calls: number): Plan {
  if (of === 'receive') return receivePlan(name, calls, 0);
  return { first: storePlan(name, 0, 0).first, phases: [storePhase(name, 'fresh', 1, calls, 0)] };
}

/** Profiles each function in each variant, one process after the other. */
export async function benchProfiles(directory: string, onRun: (what: string) => void): Promise<Profiles> {
  const stub = await startStubServer();
  try {
    const profiles = new Map<string, Profile>();
    for (const of of compared)
      for (const variant of variants) {
        onRun(`profile of ${of} ${variant}`);
        profiles.set(`${of} ${variant}`, await profile(of, variant, { directory, stub }));
      }
    const profileOf = (of: Compared, variant: Variant) => profiles.get(`${of} ${variant}`) ?? { cold: {}, warm: {} };
    const both = (of: Compared) => ({
      'with the SDK': profileOf(of, 'with the SDK'),
      'as deployed': profileOf(of, 'as deployed'),
    });
    return { receive: both('receive'), store: both('store') };
  } finally {
    await stub.close();
  }
}

type Place = { readonly directory: string; readonly stub: StubServer };

async function profile(of: Compared, variant: Variant, { directory, stub }: Place): Promise<Profile> {
  const folder = mkdtempSync(join(directory, 'profile-'));
  const text = readFileSync(bundle(of, variant, folder), 'utf8');
  const timesOf = async (calls: number) => {
    const output = mkdtempSync(join(folder, 'run-'));
    const [planFile, resultFile] = [join(output, 'plan.json'), join(output, 'result.json')];
    writeFileSync(planFile, JSON.stringify(planOf(of, `${of}-${variant}-${calls}`, calls)));
    const script = join(import.meta.dirname, '../sample-process.ts');
    const options = ['--cpu-prof', `--cpu-prof-dir=${output}`, `--cpu-prof-interval=${interval}`];
    const bundleEntry = join(folder, 'index.mjs');
    await run(process.execPath, [...options, script, bundleEntry, planFile, resultFile], {
      env: variablesOf(stub.origin),
      maxBuffer: 1_000_000_000,
    });
    const [file = ''] = readdirSync(output).filter((name) => name.endsWith('.cpuprofile'));
    return selfTimes(cpuProfile.parse(JSON.parse(readFileSync(join(output, file), 'utf8'))), text);
  };
  const colds: SelfTimes[] = [];
  for (let nth = 0; nth < coldRuns; nth += 1) colds.push(await timesOf(0));
  const cold = colds.toSorted((one, other) => totalOf(one) - totalOf(other))[0] ?? {};
  const all = await timesOf(profiledCalls[of]);
  const warm = Object.entries(all).map(
    ([part, time]) => [part, (time - (cold[part] ?? 0)) / profiledCalls[of]] as const,
  );
  return { cold, warm: Object.fromEntries(warm) };
}

function totalOf(times: SelfTimes): number {
  return Object.values(times).reduce((sum, time) => sum + time, 0);
}
