import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { MeasuredFunction, MeasuredInvocation, MeasuredUsage } from '#infra/cost/measured-usage.ts';
import { bundlePeers, ours, type Peer, reference, variablesOf } from '#test/bench/peers.ts';
import { receivePlan, storePhase } from '#test/bench/plans.ts';
import { spreadOf } from '#test/bench/statistics.ts';
import { type StubServer, startStubServer } from '#test/bench/stub-server.ts';

export type MeasureUsageOptions = {
  readonly directory: string;
  readonly rounds: number;
  readonly calls: number;
  readonly warmUp: number;
  readonly onRun: (what: string) => void;
};

const sample = z.object({ cold: z.number(), cpu: z.number(), megabytes: z.number() });

type Events = { readonly warmUp: readonly unknown[]; readonly measured: readonly unknown[] };

const run = promisify(execFile);

/** CloudWatch adds this to each log line. */
const bytesPerLogLine = 26;

/** Events about new orders. @param name makes them different from those of every other run */
function eventsOf(of: MeasuredFunction, name: string, warmUp: number, calls: number): Events {
  const events =
    of === 'receive'
      ? receivePlan(name, warmUp + calls, 0).phases.flatMap((phase) => phase.events)
      : storePhase(name, 'fresh', of === 'store' ? 1 : 10, warmUp + calls, 0).events;
  return { warmUp: events.slice(0, warmUp), measured: events.slice(warmUp) };
}

const functions = ['receive', 'store', 'storeTen'] as const satisfies readonly MeasuredFunction[];

/** Measures what an invocation takes: of Drawbridge and of the reference, in turn, each in a new process. */
export async function measureUsage(options: MeasureUsageOptions): Promise<MeasuredUsage> {
  const stub = await startStubServer();
  try {
    const bundles = {
      receive: bundlePeers('receive', options.directory),
      store: bundlePeers('store', options.directory),
    };
    const measured = new Map<string, MeasuredInvocation>();
    for (const of of functions) {
      const peers = (of === 'receive' ? bundles.receive : bundles.store).filter(({ name }) =>
        [ours, reference].some((one) => one === name),
      );
      for (const [peer, invocation] of await measureInvocations(of, peers, stub, options))
        measured.set(`${peer.name} ${of}`, invocation);
    }
    const usageOf = (name: string) => {
      const [receive, store, storeTen] = functions.map((of) => measured.get(`${name} ${of}`));
      if (receive === undefined || store === undefined || storeTen === undefined)
        throw new RangeError(`${name} was not measured.`);
      return { receive, store, storeTen };
    };
    return {
      measuredBy: 'npm run bench -- --part usage --save',
      drawbridge: usageOf(ours),
      reference: usageOf(reference),
    };
  } finally {
    await stub.close();
  }
}

async function measureInvocations(
  of: MeasuredFunction,
  peers: readonly Peer[],
  stub: StubServer,
  { directory, rounds, calls, warmUp, onRun }: MeasureUsageOptions,
): Promise<ReadonlyMap<Peer, MeasuredInvocation>> {
  const samples = new Map<Peer, z.infer<typeof sample>[]>();
  for (let round = 0; round < rounds; round += 1)
    for (const peer of peers) {
      onRun(`${of} of ${peer.name}, round ${round + 1} of ${rounds}`);
      const events = eventsOf(of, `${of}-${peer.name}-${round}`, warmUp, calls);
      samples.set(peer, [...(samples.get(peer) ?? []), (await runEvents(peer, events, directory, stub)).sample]);
    }
  const results = new Map<Peer, MeasuredInvocation>();
  for (const peer of peers)
    results.set(peer, { ...(await countCall(of, peer, directory, stub)), ...medians(samples.get(peer) ?? []) });
  return results;
}

function medians(samples: readonly z.infer<typeof sample>[]) {
  const median = (figure: (one: z.infer<typeof sample>) => number) => round(spreadOf(samples.map(figure)).median);
  return {
    cpuMs: median(({ cpu }) => cpu),
    coldCpuMs: median(({ cold }) => cold),
    megabytes: median(({ megabytes }) => megabytes),
  };
}

const round = (value: number) => Number(value.toPrecision(3));

/** What one more call of a warm function asks of AWS and writes to its log. */
async function countCall(of: MeasuredFunction, peer: Peer, directory: string, stub: StubServer) {
  const countOf = async (calls: number) => {
    stub.reset();
    const { stdout } = await runEvents(
      peer,
      eventsOf(of, `count-${of}-${peer.name}-${calls}`, 1, calls),
      directory,
      stub,
    );
    const lines = stdout.split('\n').length - 1;
    return { ...stub.counted(), logBytes: Buffer.byteLength(stdout) + lines * bytesPerLogLine - lines };
  };
  const [less, more] = [await countOf(1), await countOf(11)];
  const each = (after: number, before: number) => Math.round(((after - before) / 10) * 100) / 100;
  const requests = Object.entries(more.requests).map(
    ([name, count]) => [name, each(count, less.requests[name] ?? 0)] as const,
  );
  return {
    requests: Object.fromEntries(requests.filter(([, count]) => count > 0)),
    writeUnits: each(more.writeUnits, less.writeUnits),
    readUnits: each(more.readUnits, less.readUnits),
    logBytes: Math.round(each(more.logBytes, less.logBytes)),
  };
}

async function runEvents(peer: Peer, events: Events, directory: string, stub: StubServer) {
  const [eventsFile, resultFile] = [join(directory, 'events.json'), join(directory, 'usage.json')];
  writeFileSync(eventsFile, JSON.stringify(events));
  const script = join(import.meta.dirname, 'usage-process.ts');
  const options = { env: variablesOf(stub.origin), maxBuffer: 1_000_000_000 };
  const { stdout } = await run(process.execPath, [script, peer.bundle, eventsFile, resultFile], options);
  return { stdout, sample: sample.parse(JSON.parse(readFileSync(resultFile, 'utf8'))) };
}
