import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { type Check, checkEqual, checkNone } from '#sandbox/scenario/common/checks.ts';
import { readAllEvents } from '#sandbox/scenario/common/event-store.ts';
import { markerWords } from '#sandbox/scenario/common/marker-words.ts';
import { countMessages } from '#sandbox/scenario/common/queues.ts';
import { drainAll, drainInterval, runSchedule } from '#sandbox/scenario/common/schedules.ts';

export type BacklogProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform' | 'endpoints'>;
  readonly records: number;
  /** Records a second: what the list gives at most while the pace is measured. The emulators must not be slower. */
  readonly pacePerSecond: number;
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

/** In seconds: how long the list takes while the pace is measured. A run ends by itself after 58. */
const listSeconds = 40;

/** The most memory that a long list may need, as a multiple of that for a short one. */
const maxGrowthRatio = 1.2;

/** The least that a run may store, as a share of what the platform's list gives in the same time. */
const minPace = 0.9;

const sampleIntervalMs = 200;

/**
 * Drains a short list, then a long one, and compares the memory of the function. Then compares the pace of a run with that of the list.
 *
 * Measures only the drain: the caller must keep `store` from receiving messages of the webhooks queue. No schedule runs.
 */
export async function runBacklog({ sandbox, records, pacePerSecond, onStep }: BacklogProps) {
  // A scheduled run would take over from the run that is measured.
  sandbox.host.schedules.close();
  const few = await measure(sandbox, fewRecords, onStep);
  const many = await measure(sandbox, records, onStep);
  const pace = await measurePace({ sandbox, pacePerSecond, onStep });
  const growth = many.mebibytes / few.mebibytes;
  const events = (await readAllEvents(sandbox.host)).length;
  const checks: readonly Check[] = [
    checkNone('undelivered at the end', sandbox.platform.undelivered.count()),
    checkEqual('events in the event store', fewRecords + records + listSeconds * pacePerSecond, events),
    checkNone('dead letters', await countMessages(sandbox.host, 'dead letters')),
    {
      name: `memory for ${records} records, as a multiple of that for ${fewRecords}`,
      expected: `at most ${maxGrowthRatio}`,
      found: growth.toFixed(2),
      holds: growth <= maxGrowthRatio,
    },
    {
      name: `records that a run stores, as a share of what a list of ${pacePerSecond} a second gives`,
      expected: `at least ${minPace}`,
      found: pace.toFixed(2),
      holds: pace >= minPace,
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
  addUndelivered(platform, records);
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

/** The resident memory of a process, in MiB, by `/proc`, or by `ps` on systems without it, such as macOS. Returns 0 if the process has ended. */
async function residentMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kibibytes = /^VmRSS:\s*(\d+)/m.exec(status)?.[1];
  if (kibibytes !== undefined) return Number(kibibytes) / 1_024;
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => ({ stdout: '0' }));
  return Number(stdout.trim()) / 1_024;
}

function addUndelivered({ madeUpDeliveries, profile }: BacklogProps['sandbox']['platform'], count: number): void {
  const [eventType = ''] = profile.eventTypes;
  // The platform sends no such field today. Nothing of a webhook's content may leave Drawbridge.
  const fields = { lastName: markerWords[0] };
  madeUpDeliveries.add({ count, malformed: 0, eventType, status: 'ACTIVE', fields });
}

/** How long it takes only to list some new records, as a share of how long a run takes to store them. */
async function measurePace({ sandbox, pacePerSecond, onStep }: Omit<BacklogProps, 'records'>): Promise<number> {
  const { host, platform } = sandbox;
  const pacedRecords = listSeconds * pacePerSecond;
  const milliseconds = (platform.profile.pageSize * 1_000) / pacePerSecond;
  onStep(`The drain fetches ${pacedRecords} undelivered webhooks from a list that takes ${milliseconds} ms for a page`);
  addUndelivered(platform, pacedRecords);
  const operation = 'listUndeliveredWebhooks';
  const { id } = platform.faults.place({ operation, share: 1, effect: 'LATENCY', milliseconds });
  const listing = await secondsOf(() => listAll(sandbox));
  const draining = await secondsOf(() => runSchedule(host, 'drain-runs'));
  platform.faults.remove(id);
  const perSecond = (seconds: number) => `${seconds.toFixed(1)} s, ${(pacedRecords / seconds).toFixed(1)} a second`;
  onStep(`  only listing took ${perSecond(listing)}; the run took ${perSecond(draining)}`);
  await platform.clock.advance(drainInterval);
  await drainAll(sandbox);
  return listing / draining;
}

const page = z.object({ pagination: z.object({ cursor: z.string() }) });

/** Reads the list page by page, as the drain does. */
async function listAll({ endpoints, platform }: BacklogProps['sandbox']): Promise<void> {
  const { pageSize, webhookPaths } = platform.profile;
  const headers = { Authorization: `Bearer ${platform.tokens.issue().accessToken}` };
  for (let cursor: string | undefined; cursor !== ''; ) {
    const query = new URLSearchParams({ limit: String(pageSize), ...(cursor !== undefined && { cursor }) });
    const answer = await fetch(`${endpoints.platform}${webhookPaths.undelivered}?${query}`, { headers });
    cursor = page.parse(await answer.json()).pagination.cursor;
  }
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

function timeRuns(lengths: number[]): () => void {
  let since = performance.now();
  return () => {
    lengths.push(Math.round((performance.now() - since) / 1_000));
    since = performance.now();
  };
}
