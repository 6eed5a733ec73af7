import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleEmpty, bundlePeers, type Compared, compared, type Peer, variablesOf } from './peers.ts';
import { receivePlan, storeContents, storePhase, storePlan } from './plans.ts';
import type { BenchResult, PeerResult, RequestCounts } from './report.ts';
import { type Plan, runSample, type Sample } from './run-sample.ts';
import { type CountedCalls, type StubServer, startStubServer } from './stub-server.ts';

export type BenchOptions = {
  readonly rounds: number;
  /** Measured calls of each phase, and calls before them. */
  readonly calls: number;
  readonly warmUp: number;
  readonly onRound: (round: number) => void;
};

type Runner = { readonly run: (peer: Peer, plan: Plan) => Promise<Sample>; readonly stub: StubServer };

/**
 * Measures every peer in turn, round by round, each in a process of its own, and all with the same stub servers. So a busy moment
 * of the machine hits all of them.
 */
export async function runBench({ rounds, calls, warmUp, onRound }: BenchOptions): Promise<BenchResult> {
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-bench-'));
  const stub = await startStubServer();
  const env = variablesOf(stub.origin);
  const run = (peer: Peer, plan: Plan) => runSample(peer.bundle, plan, { directory, env });
  try {
    const emptyPeer = bundleEmpty(directory);
    const peers = { receive: bundlePeers('receive', directory), store: bundlePeers('store', directory) };
    const empty: Sample[] = [];
    const samples = new Map<Peer, Sample[]>();
    for (let round = 0; round < rounds; round += 1) {
      onRound(round);
      empty.push(await run(emptyPeer, { first: {}, phases: [] }));
      for (const of of compared)
        for (const peer of peers[of]) {
          const name = `${of}-${peer.name}-${round}`;
          const plan = of === 'receive' ? receivePlan(name, calls, warmUp) : storePlan(name, calls, warmUp);
          samples.set(peer, [...(samples.get(peer) ?? []), await run(peer, plan)]);
        }
    }
    const resultsOf = (of: Compared): readonly PeerResult[] =>
      peers[of].map((peer) => ({ peer, samples: samples.get(peer) ?? [] }));
    const requests: BenchResult['requests'][number][] = [];
    for (const of of compared)
      for (const peer of peers[of])
        requests.push({ of, peer: peer.name, counts: await countRequests(of, peer, { run, stub }) });
    return { rounds, empty, peers: { receive: resultsOf('receive'), store: resultsOf('store') }, requests };
  } finally {
    await stub.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What a webhook, or a batch of ten records, asks of AWS once the function is warm. */
async function countRequests(of: Compared, peer: Peer, runner: Runner): Promise<RequestCounts> {
  if (of === 'receive') {
    const plan = (calls: number) => receivePlan(`count-${peer.name}-${calls}`, calls, 0);
    return { 'a webhook': await difference(peer, [plan(0), plan(1)], runner) };
  }
  const counts: Record<string, CountedCalls> = {};
  for (const content of storeContents) {
    const before = content === 'duplicate' ? 1 : 0;
    const plan = (calls: number) => {
      const name = `count-${peer.name}-${content}-${calls}`;
      const phase = storePhase(name, content, 10, calls, 0);
      return { first: storePlan(name, 0, 0).first, phases: [phase] };
    };
    counts[content] = await difference(peer, [plan(before), plan(before + 1)], runner);
  }
  return counts;
}

/** What the second plan asks for beyond the first. */
async function difference(
  peer: Peer,
  [less, more]: readonly [Plan, Plan],
  { run, stub }: Runner,
): Promise<CountedCalls> {
  const countOf = async (plan: Plan) => {
    stub.reset();
    await run(peer, plan);
    return stub.counted();
  };
  const [before, all] = [await countOf(less), await countOf(more)];
  const requests = Object.entries(all.requests).map(
    ([name, count]) => [name, count - (before.requests[name] ?? 0)] as const,
  );
  return {
    requests: Object.fromEntries(requests.filter(([, count]) => count > 0)),
    writeUnits: all.writeUnits - before.writeUnits,
    readUnits: all.readUnits - before.readUnits,
  };
}
