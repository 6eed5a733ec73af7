import { globSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { bundleFile, bundleFunction, bundleOptions, repositoryRoot } from '#infra/bundles/bundle.ts';
import { startSandbox } from '#sandbox/sandbox.ts';
import { bundleEmpty } from '#test/bench/peers.ts';
import { runSample, type Sample } from '#test/bench/run-sample.ts';
import { type FirstEvents, recordFirstEvents } from './record-first-events.ts';

/** How a function is bundled: as it is deployed, or with the clients of the SDK in place of ours. */
export const startVariants = ['as deployed', 'with the SDK'] as const;

export type StartVariant = (typeof startVariants)[number];

export type StartResult = {
  /** As the folder of the function. */
  readonly name: string;
  readonly bytes: Readonly<Record<StartVariant, number>>;
  /** One of each round. */
  readonly samples: Readonly<Record<StartVariant, readonly Sample[]>>;
};

export type StartsResult = { readonly empty: readonly Sample[]; readonly functions: readonly StartResult[] };

export type StartBenchOptions = {
  readonly directory: string;
  readonly rounds: number;
  readonly onRound: (round: number) => void;
};

type Bundle = { readonly file: string; readonly bytes: number };

const never = new Promise<void>(() => undefined);

/**
 * Starts each function of the synthesized stacks in a new process and makes its first call: with its environment, its permissions
 * and an event of the laptop. AWS and the platform are those of the laptop.
 */
export async function benchStarts({ directory, rounds, onRound }: StartBenchOptions): Promise<StartsResult> {
  const events: FirstEvents = new Map();
  let isMeasuring = false;
  const sandbox = await startSandbox({
    root: repositoryRoot,
    directory: join(directory, 'laptop'),
    environment: process.env,
    // No verification ends during the bench, so that the onboarding waits, as most do.
    platform: { settings: { videoCallsAfter: 86_400 } },
    onInvocation: (name, payload) => void (events.has(name) || events.set(name, payload)),
    // What a measured call sends to a queue stays there, so that no other function works at that time.
    onAwsCall: ({ operation }) => (isMeasuring && operation === 'ReceiveMessage' ? never : undefined),
  });
  try {
    await recordFirstEvents(sandbox, events);
    isMeasuring = true;
    const { functions } = sandbox.host;
    const names = functions.functions.map(({ name }) => name);
    const bundles = new Map(names.map((name) => [name, bundleVariants(name, directory)]));
    const samples = new Map<Bundle, Sample[]>();
    const empty: Sample[] = [];
    for (let round = 0; round < rounds; round += 1) {
      onRound(round);
      empty.push(await runSample(bundleEmpty(directory).bundle, { first: {}, phases: [] }, { directory, env: {} }));
      for (const name of names)
        for (const bundle of Object.values(bundles.get(name) ?? {})) {
          // Node would keep what it has compiled for the next process.
          const { NODE_COMPILE_CACHE: _, ...env } = functions.environment(name);
          const plan = { first: JSON.parse(events.get(name) ?? '{}'), phases: [] };
          const sample = await runSample(bundle.file, plan, { directory, env });
          samples.set(bundle, [...(samples.get(bundle) ?? []), sample]);
        }
    }
    return { empty, functions: [...bundles].map(([name, variants]) => resultOf(name, variants, samples)) };
  } finally {
    await sandbox.close();
  }
}

function resultOf(
  name: string,
  variants: Readonly<Record<StartVariant, Bundle>>,
  samples: ReadonlyMap<Bundle, readonly Sample[]>,
): StartResult {
  const both = <Value>(of: (bundle: Bundle) => Value): Readonly<Record<StartVariant, Value>> => ({
    'as deployed': of(variants['as deployed']),
    'with the SDK': of(variants['with the SDK']),
  });
  return { name, bytes: both(({ bytes }) => bytes), samples: both((bundle) => samples.get(bundle) ?? []) };
}

function bundleVariants(name: string, directory: string): Readonly<Record<StartVariant, Bundle>> {
  const [entry, ...others] = globSync(`functions/*/${name}/lambda.ts`, { cwd: repositoryRoot });
  if (entry === undefined || others.length > 0)
    throw new RangeError(`There must be one functions/*/${name}/lambda.ts.`);
  const folderOf = (variant: StartVariant) => join(directory, name, variant.replaceAll(' ', '-'));
  const deployed = bundleFunction(entry, folderOf('as deployed'));
  // Writes `index.mjs` as well, which loads the bundle that replaces the deployed one.
  bundleFunction(entry, folderOf('with the SDK'));
  const outfile = join(folderOf('with the SDK'), bundleFile);
  const whole = buildSync({ ...bundleOptions, entryPoints: [entry], outfile });
  const bundleOf = (variant: StartVariant, { metafile }: typeof whole): Bundle => ({
    file: join(folderOf(variant), 'index.mjs'),
    bytes: Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0),
  });
  return { 'as deployed': bundleOf('as deployed', deployed), 'with the SDK': bundleOf('with the SDK', whole) };
}
