import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { bundleFunction, bundleOptions } from '#infra/bundles/bundle.ts';
import { secretHeader } from './webhooks.ts';

/** An implementation of a function. */
export type Peer = { readonly name: string; readonly bundle: string; readonly bytes: number };

/** What Drawbridge is compared with. */
export const reference = 'middy + Powertools';
export const ours = 'Drawbridge';
export const floor = 'bare handler, no checks';

const entries = {
  receive: {
    [ours]: 'functions/webhook-ingest/receive/lambda.ts',
    [reference]: 'test/bench/peers/powertools-receive.ts',
    'Hono adapter': 'test/bench/peers/hono-receive.ts',
    'Express adapter': 'test/bench/peers/express-receive.ts',
    [floor]: 'test/bench/peers/bare-receive.ts',
  },
  store: {
    [ours]: 'functions/webhook-ingest/store/lambda.ts',
    [reference]: 'test/bench/peers/powertools-store.ts',
  },
} as const;

export type Compared = keyof typeof entries;

export const compared: readonly Compared[] = ['receive', 'store'];

/** Bundles an entry as it is deployed; peers by the same options of esbuild, and without the cuts of Drawbridge. */
function bundle(name: string, entry: string, directory: string): Peer {
  const folder = join(directory, entry.replaceAll(/\W/g, '-'));
  const isOurs = name === ours;
  const outfile = join(folder, 'index.js');
  const { metafile } = isOurs
    ? bundleFunction(entry, folder)
    : buildSync({ ...bundleOptions, entryPoints: [entry], outfile });
  const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
  return { name, bundle: isOurs ? join(folder, 'index.mjs') : outfile, bytes };
}

/** Bundles every peer of a function. */
export function bundlePeers(of: Compared, directory: string): readonly Peer[] {
  return Object.entries(entries[of]).map(([name, entry]) => bundle(name, entry, directory));
}

/** Writes the bundle of the reference, not minified, to a file. @returns the file */
export function bundleReference(of: Compared, outfile: string): string {
  buildSync({ ...bundleOptions, minify: false, entryPoints: [entries[of][reference]], outfile });
  return outfile;
}

export function bundleEmpty(directory: string): Peer {
  return bundle('empty handler', 'test/bench/peers/empty.ts', directory);
}

/** The environment variables of every peer. */
export function variablesOf(origin: string): Readonly<Record<string, string>> {
  return {
    AWS_ACCESS_KEY_ID: 'none',
    AWS_ENDPOINT_URL: origin,
    AWS_LAMBDA_FUNCTION_NAME: 'bench',
    AWS_REGION: 'eu-central-1',
    AWS_SECRET_ACCESS_KEY: 'none',
    ENTITIES_TABLE: 'entities',
    ENVIRONMENT: 'bench',
    EVENTS_TABLE: 'events',
    EVENT_BUS: 'drawbridge',
    EVENT_RETENTION_DAYS: '90',
    IDEMPOTENCY_TABLE: 'idempotency',
    ONBOARDINGS_TABLE: 'onboardings',
    ONBOARDING_QUEUE_URL: `${origin}/000000000000/onboarding`,
    PLATFORM_PROFILE: '{}',
    QUEUE_URL: `${origin}/000000000000/webhooks`,
    SECRET_HEADER: secretHeader,
    SECRET_ID: 'webhook-secret',
  };
}
