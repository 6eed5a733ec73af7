import type { BatchQueue } from '#shared/aws/queue.ts';
import type { DueEntities } from '#shared/entities/due-entities.ts';
import { writeReadBackMessage } from '#shared/events/read-back.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import type { PacedJournal } from './paced-journal.ts';
import type { ReadPlatformEntity } from './read-platform-entity.ts';
import {
  addChecked,
  type CheckResult,
  type Finding,
  type ReconcileProgress,
  type ReconcileWalk,
  walkOf,
} from './reconcile-progress.ts';

/** The state of one run. */
export type Run = {
  readonly beganOn: Date;
  readonly journal: PacedJournal<ReconcileProgress>;
  readonly repairs: boolean;
  /** How long the run may take, in milliseconds. */
  readonly limitMs: number;
  readonly stop: AbortSignal;
  readonly ask: ReadPlatformEntity;
  readonly found: Finding[];
  /** Stale entities that the report of the run names, and how many others there are. */
  stale: { readonly longest: readonly Finding[]; readonly others: number };
  /** Whether due entities are left, for this run or the next one. */
  isBehind: boolean;
  /** Whether the run reads the lists of persons and verifications. */
  isListing: boolean;
  /** Whether the run is reading the list of persons. */
  isAtPersons: boolean;
};

export type RecordCheckedDeps = {
  readonly dueEntities: Pick<DueEntities, 'place'>;
  /** The webhooks queue. */
  readonly queue: BatchQueue;
  readonly now: () => Date;
  readonly log: Log;
  readonly metrics: Metrics;
};

/** Entities whose places are written concurrently. */
const placeConcurrency = 16;

/** Hands over the repairs, then keeps the progress: after a crash in between, they are handed over again. */
export function createRecordChecked({ dueEntities, queue, now, log, metrics }: RecordCheckedDeps) {
  /** @param move sets where the run continues after these entities */
  async function recordChecked(
    run: Run,
    checked: CheckResult,
    move: (progress: ReconcileProgress & { walk: ReconcileWalk }) => ReconcileProgress,
  ): Promise<void> {
    const { journal, repairs, found } = run;
    await handOver(run, checked);
    const walk = addChecked(walkOf(journal.progress, now()), checked, repairs);
    await journal.keep(move({ ...journal.progress, walk }));
    found.push(...checked.findings);
    if (repairs) report(checked);
  }

  async function handOver({ repairs, stop }: Run, { findings, places = [] }: CheckResult): Promise<void> {
    stop.throwIfAborted();
    if (!repairs) return;
    await queue.sendAll(findings.flatMap(({ answer }) => (answer ? [writeReadBackMessage(answer)] : [])));
    // An entity that was written meanwhile has got its place by that write.
    await mapConcurrent(places, placeConcurrency, ({ entity, to }) => dueEntities.place(entity, to));
    stop.throwIfAborted();
  }

  function report({ checked, findings }: CheckResult): void {
    const number = (what: Finding['what']) => findings.filter((finding) => finding.what === what).length;
    metrics.count('EntitiesReconciled', checked.length);
    metrics.count('DriftFound', number('drifted'));
    metrics.count('EntitiesReadBack', number('to be read back'));
    metrics.count('EntitiesGone', number('gone'));
    metrics.count('ReadBacksUnanswered', number('unanswered'));
    if (number('drifted') > 0) log.warn('drift found', { size: number('drifted') });
  }

  return { recordChecked, handOver };
}

export type RecordChecked = ReturnType<typeof createRecordChecked>;
