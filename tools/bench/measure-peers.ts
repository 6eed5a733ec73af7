import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { bundlePeers, type Compared, type Peer, variablesOf } from './peers.ts';
import { startStubServer } from './stub-server.ts';
import { batchOf, httpEvent, orderBody, storeContents } from './webhooks.ts';

const sample = z.object({
  loadMs: z.number(),
  firstMs: z.number(),
  /** Of a call. */
  warm: z.record(z.string(), z.object({ cpuMs: z.number(), requests: z.number() })),
});

type Sample = z.infer<typeof sample>;

type PeersBenchOptions = {
  readonly of: Compared;
  readonly directory: string;
  readonly rounds: number;
  /** Measured calls of each kind in a round, and calls before them. */
  readonly calls: number;
  readonly warmUp: number;
  readonly onRound: (round: number) => void;
};

/** What each round measured of each peer, in the order of the rows of the table. */
export type PeersBench = {
  readonly peers: readonly Peer[];
  readonly rows: readonly { readonly name: string; readonly values: readonly (readonly number[])[] }[];
};

const batchSizes = [1, 10] as const;

/**
 * Measures every peer in turn, round by round, each in a new process and all with the same stub server. So a busy moment of the
 * machine hits all of them.
 */
export async function benchPeers({
  of,
  directory,
  rounds,
  calls,
  warmUp,
  onRound,
}: PeersBenchOptions): Promise<PeersBench> {
  const stub = await startStubServer();
  try {
    const peers = bundlePeers(of, directory);
    const samples = new Map<Peer, Sample[]>(peers.map((peer) => [peer, []]));
    for (let round = 0; round < rounds; round += 1) {
      onRound(round);
      for (const [index, peer] of peers.entries()) {
        const plan = { ...planOf(of, `${index}-${round}`, calls + warmUp), warmUp };
        samples.get(peer)?.push((await runSample(peer, plan, { directory, origin: stub.origin })).sample);
      }
    }
    const row = (name: string, read: (one: Sample) => number) => ({
      name,
      values: peers.map((peer) => samples.get(peer)?.map(read) ?? []),
    });
    const kinds = Object.keys(planOf(of, '', 0).phases);
    const size = (kind: string) => Number(/\d+/.exec(kind)?.[0] ?? 1);
    const ofKind = (kind: string, { warm }: Sample) => warm[kind] ?? { cpuMs: Number.NaN, requests: Number.NaN };
    return {
      peers,
      rows: [
        row('load and first call (ms)', ({ loadMs, firstMs }) => loadMs + firstMs),
        row('first call (ms)', ({ firstMs }) => firstMs),
        ...kinds.map((kind) => row(`${kind}: warm CPU (ms)`, (one) => ofKind(kind, one).cpuMs / size(kind))),
        ...kinds.map((kind) => row(`${kind}: requests`, (one) => ofKind(kind, one).requests / size(kind))),
      ],
    };
  } finally {
    await stub.close();
  }
}

/** The first call, and further calls by their kind. @param name makes the webhooks different from those of every other plan */
function planOf(of: Compared, name: string, calls: number) {
  const range = Array.from({ length: calls }, (_, index) => index);
  if (of === 'receive') {
    const event = (nth: number) => httpEvent(orderBody(`${name}-${nth}`, 0), `request-${nth}`);
    return { first: event(-1), phases: { 'a webhook': range.map(event) } };
  }
  const phases = batchSizes.flatMap((size) =>
    storeContents.map((content) => {
      const batches = range.map((nth) => batchOf(content, `${name}-${content}-${size}`, nth, size));
      return [`a record, ${content}, batch of ${size}`, batches] as const;
    }),
  );
  return { first: batchOf('fresh', `${name}-first`, 0, 1), phases: Object.fromEntries(phases) };
}

/** Has a peer take the calls of a plan, in a new process. @returns what was measured, and the lines that the peer printed */
export async function runSample(
  { bundle }: Peer,
  plan: {
    readonly first: object;
    readonly phases: Readonly<Record<string, readonly object[]>>;
    readonly warmUp: number;
  },
  { directory, origin }: { readonly directory: string; readonly origin: string },
): Promise<{ readonly sample: Sample; readonly lines: readonly string[] }> {
  const [planFile, resultFile] = [join(directory, 'plan.json'), join(directory, 'result.json')];
  writeFileSync(planFile, JSON.stringify(plan));
  const args = [join(import.meta.dirname, 'sample-process.ts'), bundle, planFile, resultFile];
  const env = { ...variablesOf(origin), NODE_NO_WARNINGS: '1' };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 1_000_000_000 });
  const lines = `${stdout}${stderr}`.split('\n').filter(Boolean);
  return { sample: sample.parse(JSON.parse(readFileSync(resultFile, 'utf8'))), lines };
}
