import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { canaries } from './canary.ts';
import { type Check, checkEqual, checkNone } from './checks.ts';
import { countDeadLetters } from './dead-letters.ts';
import { readAllEvents } from './first-webhooks.ts';
import { drainAll } from './schedules.ts';

export type BacklogProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform'>;
  readonly records: number;
  readonly onStep: (step: string) => void;
};

/** What draining so many took. Times in seconds, of real time. */
export type Measurement = {
  readonly records: number;
  readonly runs: number;
  readonly seconds: number;
  readonly longestRun: number;
  /** The most that the process of the drain was seen to have in memory. */
  readonly mebibytes: number;
};

const fewRecords = 1_000;

/** How much more memory a long list may take than a short one. */
const mostGrowth = 1.5;

/** In milliseconds: how often its memory is looked at. */
const sampleInterval = 200;

/**
 * Issue 4: drains a short list, then a long one, and holds the memory of the function at the one against the other.
 *
 * The drain alone is measured: see that nobody takes its messages from the webhooks queue meanwhile.
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
      name: `memory for ${records} against that for ${fewRecords}`,
      expected: `at most ${mostGrowth}`,
      found: growth.toFixed(2),
      holds: growth <= mostGrowth,
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
  // So that its memory is of this list alone.
  drain?.kill();
  const [eventType] = platform.profile.eventTypes;
  // The platform says no such thing today: nothing that a webhook may hold is to leave it.
  const fields = { lastName: canaries[0] };
  platform.madeUpDeliveries.add({ count: records, malformed: 0, eventType: eventType ?? '', status: 'ACTIVE', fields });
  let mebibytes = 0;
  const sampling = setInterval(() => {
    for (const pid of drain?.pids() ?? [])
      void residentMebibytes(pid).then((now) => {
        mebibytes = Math.max(mebibytes, now);
      });
  }, sampleInterval);
  const startedAt = performance.now();
  const lengths: number[] = [];
  try {
    const watchRuns = timeRuns(lengths);
    const runs = await drainAll({ host, platform }, (left) => {
      watchRuns();
      onStep(`  run ${lengths.length} took ${lengths.at(-1)} s, ${left} are undelivered`);
    });
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    return { records, runs, seconds, longestRun: Math.max(...lengths), mebibytes: Math.round(mebibytes) };
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

/** What the kernel says, or, where it has no files for it, as on macOS, `ps`; 0 where the process is gone. */
async function residentMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kibibytes = /^VmRSS:\s*(\d+)/m.exec(status)?.[1];
  if (kibibytes !== undefined) return Number(kibibytes) / 1_024;
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => ({ stdout: '0' }));
  return Number(stdout.trim()) / 1_024;
}
