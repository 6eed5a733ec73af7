import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { bundleCuts, bundleFile, bundleFunction, bundleOptions } from '#infra/bundles/bundle.ts';
import { bundleReference, type Compared, reference, variablesOf } from '#test/bench/peers.ts';
import { receivePlan, type StoreContent, storePhase, storePlan } from '#test/bench/plans.ts';
import type { Plan } from '#test/bench/run-sample.ts';
import { startStubServer } from '#test/bench/stub-server.ts';
import { cpuProfile, type SelfTimes, selfTimes } from './cpu-profile.ts';

/** How a function is bundled: with the clients of the SDK, as before, or with ours, as it is deployed. */
export const variants = ['with the SDK', 'as deployed'] as const;

export type Variant = (typeof variants)[number];

/** In milliseconds by part: of loading with the first call, and of a warm call. */
export type Profile = { readonly cold: SelfTimes; readonly warm: SelfTimes };

/** Whose warm duplicates are profiled: the ratio of their CPU time is above its target. */
export const ofDuplicates = ['as deployed', reference] as const;

export type Profiles = {
  readonly functions: Readonly<Record<Compared, Readonly<Record<Variant, Profile>>>>;
  /** Of a warm duplicate in `store`. */
  readonly duplicates: Readonly<Record<(typeof ofDuplicates)[number], SelfTimes>>;
};

/** Warm calls in a profile. */
export const profiledCalls = { receive: 1_000, store: 300, duplicates: 1_000 } as const;

/** Of so many profiles of a cold start the fastest is shown: other work of the machine only adds. */
const coldRuns = 5;

/** In microseconds. */
const interval = 200;

const run = promisify(execFile);

/** @returns the file that a process loads */
function bundle(of: Compared, variant: Variant, directory: string): string {
  const entry = `functions/webhook-ingest/${of}/lambda.ts`;
  // `index.mjs` is the same. The bundle is written again, not minified, because a profile names lines.
  bundleFunction(entry, directory);
  const cuts = variant === 'as deployed' ? bundleCuts : { external: ['@smithy/core/event-streams'] };
  buildSync({ ...bundleOptions, ...cuts, minify: false, entryPoints: [entry], outfile: join(directory, bundleFile) });
  return join(directory, 'index.mjs');
}

function planOf(of: Compared, content: StoreContent, name: string, calls: number): Plan {
  if (of === 'receive') return receivePlan(name, calls, 0);
  const phase = storePhase(name, content, 1, calls, 0);
  // As in the table of the peers, fresh records come before the duplicates, and V8 has compiled what both need.
  const before = content === 'duplicate' ? [storePhase(`${name}-fresh`, 'fresh', 1, profiledCalls.store, 0)] : [];
  return { first: storePlan(name, 0, 0).first, phases: [...before, phase] };
}

/** Profiles each function in each variant, one process after the other. */
export async function benchProfiles(directory: string, onRun: (what: string) => void): Promise<Profiles> {
  const stub = await startStubServer();
  const folder = () => mkdtempSync(join(directory, 'profile-'));
  const perform = (name: string, what: Omit<ProfileRun, 'name' | 'origin'>): Promise<Profile> => {
    onRun(`profile of ${name}`);
    return profile({ ...what, name, origin: stub.origin });
  };
  const ofVariant = (of: Compared, variant: Variant, content: StoreContent = 'fresh') =>
    perform(`${of} ${variant}, ${content}`, { of, content, entry: bundle(of, variant, folder()) });
  const both = async (of: Compared) => ({
    'with the SDK': await ofVariant(of, 'with the SDK'),
    'as deployed': await ofVariant(of, 'as deployed'),
  });
  try {
    const functions = { receive: await both('receive'), store: await both('store') };
    const own = await ofVariant('store', 'as deployed', 'duplicate');
    const entry = bundleReference('store', join(folder(), bundleFile));
    const other = await perform(`${reference}, duplicate`, { of: 'store', content: 'duplicate', entry });
    return { functions, duplicates: { 'as deployed': own.warm, [reference]: other.warm } };
  } finally {
    await stub.close();
  }
}

type ProfileRun = {
  readonly name: string;
  readonly of: Compared;
  readonly content: StoreContent;
  /** The file that a process loads. The bundle is beside it, not minified, or is the same file. */
  readonly entry: string;
  /** Of the stub server. */
  readonly origin: string;
};

async function profile({ name, of, content, entry, origin }: ProfileRun): Promise<Profile> {
  const warmCalls = profiledCalls[content === 'duplicate' ? 'duplicates' : of];
  const text = readFileSync(join(dirname(entry), bundleFile), 'utf8');
  const timesOf = async (calls: number) => {
    const output = mkdtempSync(join(dirname(entry), 'run-'));
    const [planFile, resultFile] = [join(output, 'plan.json'), join(output, 'result.json')];
    writeFileSync(planFile, JSON.stringify(planOf(of, content, `${name}-${calls}`, calls)));
    const script = join(import.meta.dirname, '../sample-process.ts');
    const options = ['--cpu-prof', `--cpu-prof-dir=${output}`, `--cpu-prof-interval=${interval}`];
    await run(process.execPath, [...options, script, entry, planFile, resultFile], {
      env: variablesOf(origin),
      maxBuffer: 1_000_000_000,
    });
    const [file = ''] = readdirSync(output).filter((name) => name.endsWith('.cpuprofile'));
    return selfTimes(cpuProfile.parse(JSON.parse(readFileSync(join(output, file), 'utf8'))), text);
  };
  const colds: SelfTimes[] = [];
  for (let nth = 0; nth < coldRuns; nth += 1) colds.push(await timesOf(0));
  const cold = colds.toSorted((one, other) => totalOf(one) - totalOf(other))[0] ?? {};
  const all = await timesOf(warmCalls);
  const warm = Object.entries(all).map(([part, time]) => [part, (time - (cold[part] ?? 0)) / warmCalls] as const);
  return { cold, warm: Object.fromEntries(warm) };
}

function totalOf(times: SelfTimes): number {
  return Object.values(times).reduce((sum, time) => sum + time, 0);
}
