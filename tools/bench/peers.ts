import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { bundleFunction, bundleOptions } from '#infra/bundles/bundle.ts';
import { secretHeader } from './webhooks.ts';

/** An implementation of a function. */
export type Peer = { readonly name: string; readonly bundle: string; readonly bytes: number };

/** Drawbridge, and what a partner would otherwise build. */
const entries = {
  receive: {
    Drawbridge: 'functions/webhook-ingest/receive/lambda.ts',
    'middy + Powertools': 'tools/bench/peers/powertools-receive.ts',
    'Hono and its adapter': 'tools/bench/peers/hono-receive.ts',
    'bare handler, no checks': 'tools/bench/peers/bare-receive.ts',
  },
  store: {
    Drawbridge: 'functions/webhook-ingest/store/lambda.ts',
    'Powertools, idempotency utility': 'tools/bench/peers/idempotent-store.ts',
    'Powertools, conditional write': 'tools/bench/peers/conditional-store.ts',
  },
} as const;

export type Compared = keyof typeof entries;

/** Bundles every peer of a function: Drawbridge as it is deployed, the others by the same options of esbuild. */
export function bundlePeers(of: Compared, directory: string): readonly Peer[] {
  return Object.entries(entries[of]).map(([name, entry], index) => {
    const folder = join(directory, `${of}-${index}`);
    const isOurs = entry.startsWith('functions/');
    const outfile = join(folder, isOurs ? 'index.mjs' : 'index.cjs');
    const { metafile } = isOurs
      ? bundleFunction(entry, folder)
      : buildSync({ ...bundleOptions, entryPoints: [entry], outfile });
    const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
    return { name, bundle: outfile, bytes };
  });
}

/** The environment variables of every peer. */
export function variablesOf(origin: string): Readonly<Record<string, string>> {
  return {
    AWS_ACCESS_KEY_ID: 'none',
    AWS_ENDPOINT_URL: origin,
    AWS_LAMBDA_FUNCTION_NAME: 'bench',
    AWS_REGION: 'eu-central-1',
    AWS_SECRET_ACCESS_KEY: 'none',
    CHECKPOINTS_TABLE: 'checkpoints',
    ENTITIES_TABLE: 'entities',
    ENVIRONMENT: 'bench',
    EVENTS_TABLE: 'events',
    EVENT_BUS: 'drawbridge',
    EVENT_RETENTION_DAYS: '90',
    IDEMPOTENCY_TABLE: 'idempotency',
    ONBOARDINGS_TABLE: 'onboardings',
    ONBOARDING_QUEUE_URL: `${origin}/000000000000/onboarding`,
    PERSONS_TABLE: 'persons',
    PLATFORM_PROFILE: '{}',
    QUEUE_URL: `${origin}/000000000000/webhooks`,
    SECRET_HEADER: secretHeader,
    SECRET_ID: 'webhook-secret',
    UNREAD_RETENTION_DAYS: '30',
  };
}
