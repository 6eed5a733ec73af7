import { type DueEntities, isListOver } from '#shared/entities/due-entities.ts';
import { entityShards } from '#shared/entities/entity-row.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import type { DetectDrift } from './detect-drift.ts';
import { walkOf, withStale } from './reconcile-progress.ts';
import type { RecordChecked, Run } from './record-checked.ts';

export type DuePassDeps = {
  readonly dueEntities: Pick<DueEntities, 'list'>;
  readonly driftChecks: DetectDrift;
  readonly recordChecked: RecordChecked['recordChecked'];
  /** The pace of the calls to the platform. */
  readonly callsPerSecond: number;
  readonly now: () => Date;
  readonly metrics: Metrics;
};

/** The share of the calls of a repair for what is due before the lists are read. */
const shareBeforeLists = 0.5;

/** Entities of a shard between two checkpoints at most. */
const maxDuePageSize = 8;

/**
 * Checks due entities, the longest waiting first, and counts stale ones. The two lanes alternate: a day with a million marked persons
 * does not delay a transfer.
 */
export function createDuePass({ dueEntities, driftChecks, recordChecked, callsPerSecond, now, metrics }: DuePassDeps) {
  /** Checks what a run has the calls for before it reads the lists. A report checks everything. */
  async function checkDue(run: Run): Promise<void> {
    const calls = run.repairs ? callsOf(run) * shareBeforeLists : Number.POSITIVE_INFINITY;
    await checkUpTo(run, { calls, until: Number.POSITIVE_INFINITY });
    // A page of the list of persons settles as many marks as it has persons.
    run.isListing ||= isAnyLeft(run, ['marked']);
  }

  /** In a run that reads no lists: checks more, with the other calls, until the time of the run is over. */
  async function checkMoreDue(run: Run): Promise<void> {
    const until = run.beganOn.getTime() + run.limitMs;
    await checkUpTo(run, { calls: callsOf(run) * (1 - shareBeforeLists), until });
  }

  const callsOf = ({ limitMs }: Run) => (limitMs / 1_000) * callsPerSecond;

  async function checkUpTo(run: Run, { calls, until }: { readonly calls: number; readonly until: number }) {
    let left = calls;
    while (isAnyLeft(run) && left > 0 && now().getTime() < until)
      for (const lane of askedLanes) {
        const most = Math.max(1, Math.min(maxDuePageSize, Math.ceil(left / entityShards.length)));
        left -= await checkPage(run, lane, most);
      }
    run.isBehind = isAnyLeft(run);
  }

  /** @returns how many entities were read from the platform */
  async function checkPage(run: Run, lane: 'open' | 'marked', most: number): Promise<number> {
    const { journal, ask, stop } = run;
    const { due } = journal.progress;
    if (due === undefined || isListOver(due[lane], entityShards)) return 0;
    const upTo = driftChecks.dueUpTo(lane);
    const { items, next } = await dueEntities.list(lane, upTo, { from: due[lane], most });
    const checked = await driftChecks.checkDue(
      items.map(({ key }) => key),
      ask,
      stop,
    );
    await recordChecked(run, checked, (progress) => ({ ...progress, due: { ...due, [lane]: next } }));
    return checked.asked;
  }

  async function countStale(run: Run): Promise<void> {
    const { journal, repairs, stop } = run;
    const stale = await driftChecks.countStale();
    stop.throwIfAborted();
    const walk = withStale(walkOf(journal.progress, now()), stale);
    await journal.keep({ ...journal.progress, walk });
    const total = Object.values(stale.counts).reduce((sum, count) => sum + count, 0);
    run.stale = { longest: stale.longest, others: total - stale.longest.length };
    if (repairs) metrics.measure('EntitiesStale', total);
  }

  return { checkDue, checkMoreDue, countStale };
}

const askedLanes = ['open', 'marked'] as const;

function isAnyLeft({ journal }: Run, lanes: readonly (typeof askedLanes)[number][] = askedLanes): boolean {
  const { due } = journal.progress;
  return due !== undefined && lanes.some((lane) => !isListOver(due[lane], entityShards));
}
