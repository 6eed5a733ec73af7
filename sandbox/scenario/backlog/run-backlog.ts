import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { canaries } from '#sandbox/scenario/common/canary.ts';
import { type Check, checkEqual, checkNone } from '#sandbox/scenario/common/checks.ts';
import { countDeadLetters } from '#sandbox/scenario/common/dead-letters.ts';
import { readAllEvents } from '#sandbox/scenario/common/event-store.ts';
import { drainAll } from '#sandbox/scenario/common/schedules.ts';

export type BacklogProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform'>;
  readonly records: number;
  readonly onStep: (step: string) => void;
};

/** What the drain needed for a number of records. `seconds` is real time. */
export type Measurement = {
  readonly records: number;
  readonly runs: number;
  readonly seconds: number;
  readonly maxRunMs: number;
  /** The most resident memory of the drain's process. */
  readonly mebibytes: number;
};

const fewRecords = 1_000;

/** The most memory that a long list may need, as a multiple of that for a short one. */
const maxGrowthRatio = 1.5;

const sampleIntervalMs = 200;

/**
 * Drains a short list, then a long one, and compares the memory of the function.
 *
 * Measures only the drain: the caller must keep `store` from receiving messages of the webhooks queue.
 */
export async function runBacklog({ sandbox, records, onStep }: BacklogProps) {
  const few = await measure(sandbox, fewRecords, onStep);
  const many = await measure(sandbox, records, onStep);
  const growth = many.mebibytes / few.mebibytes;
  const events = (await readAllEvents(sandbox.host)).length;
  const checks: readonly Check[] = [
    checkNone('undelivered at the end', sandbox.platform.undelivered.count()),
    checkEqual('events in the event store', fewRecords + records, events),
    checkNone('dead letters', await countDeadLetters(sandbox.host)),
    {
      name: `memory for ${records} records, as a multiple of that for ${fewRecords}`,
      expected: `at most ${maxGrowthRatio}`,
      found: growth.toFixed(2),
      holds: growth <= maxGrowthRatio,
    },
  ];
  return { measurements: [few, many], checks };
}

async function measure(
  { host, platform }: BacklogProps['sandbox'],
  records: number,
  onStep: (step: string) => void,
): Promise<Measurement> {
  onStep(`The drain fetches ${records} undelivered webhooks`);
  const drain = host.functions.find('drain');
  // A new process, so that its memory is for this list only.
  drain?.kill();
  const [eventType] = platform.profile.eventTypes;
  // The platform sends no such field today. Nothing of a webhook's content may leave Drawbridge.
  const fields = { lastName: canaries[0] };
  platform.madeUpDeliveries.add({ count: records, malformed: 0, eventType: eventType ?? '', status: 'ACTIVE', fields });
  let mebibytes = 0;
  const sampling = setInterval(() => {
    for (const pid of drain?.pids() ?? [])
      void residentMebibytes(pid).then((now) => {
        mebibytes = Math.max(mebibytes, now);
      });
  }, sampleIntervalMs);
  const startedAt = performance.now();
  const lengths: number[] = [];
  try {
    const watchRuns = timeRuns(lengths);
    const runs = await drainAll({ host, platform }, (left) => {
      watchRuns();
      onStep(`  run ${lengths.length} took ${lengths.at(-1)} s: ${left} webhooks are undelivered`);
    });
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    return { records, runs, seconds, maxRunMs: Math.max(...lengths), mebibytes: Math.round(mebibytes) };
  } finally {
    clearInterval(sampling);
  }
}

function timeRuns(lengths: number[]): () => void {
  let since = performance.now();
  return () => {
    lengths.push(Math.round((performance.now() - since) / 1_000));
    since = performance.now();
  };
}

/** Reads `/proc`, or asks `ps` on systems without it, such as macOS. Returns 0 if the process has ended. */
async function residentMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kibibytes = /^VmRSS:\s*(\d+)/m.exec(status)?.[1];
  if (kibibytes !== undefined) return Number(kibibytes) / 1_024;
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => ({ stdout: '0' }));
  return Number(stdout.trim()) / 1_024;
}
