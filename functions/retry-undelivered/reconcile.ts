import type { BatchQueue } from '#shared/batch-queue.ts';
import { type Checkpoint, CheckpointConflictError, type Journal } from '#shared/checkpoint.ts';
import type { EntityListing } from '#shared/entity-listing.ts';
import { readBackShards } from '#shared/entity-row.ts';
import type { GapReport } from '#shared/gap-report.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import type { OnboardingVerifications } from '#shared/onboarding-verifications.ts';
import type { PlatformClient } from '#shared/platform/client.ts';
import { PlatformError } from '#shared/platform/errors.ts';
import { writeReadBackMessage } from '#shared/read-back.ts';
import { type AskPlatform, createAskPlatform } from './ask-platform.ts';
import { followTrail } from './cursor-trail.ts';
import type { FindRequestor } from './find-requestor.ts';
import { keepInMemory } from './journal-in-memory.ts';
import type { EntityLooks } from './look-at-entities.ts';
import type { Pace } from './pace.ts';
import { PersonsCursorError, readPersonsPage } from './persons-page.ts';
import {
  addLook,
  afterPersons,
  afterVerifications,
  beginRun,
  endWalk,
  type Finding,
  type Look,
  mostStumbles,
  newWalk,
  passOn,
  type ReconcileProgress,
  reconcileProgress,
  startPersonsOver,
  stumble,
  type Walk,
} from './reconcile-progress.ts';
import { readReconcileRequest } from './reconcile-request.ts';
import { unlessStopped } from './unless-stopped.ts';
import { writeReport } from './write-report.ts';

/** Onboardings that wait: for what may not come. */
export type WaitingOnboardings = {
  /** Those that were to be looked at by then, or some of them where they are many. */
  readonly listDue: (by: Date) => Promise<readonly string[]>;
  /** Has them looked at. Can be repeated. */
  readonly wake: (onboardingIds: readonly string[]) => Promise<void>;
};

const noVerifications: OnboardingVerifications = { list: async () => ({ items: [], next: undefined }) };

const nobodyWaits: WaitingOnboardings = { listDue: async () => [], wake: async () => undefined };

export type ReconcileDeps = {
  readonly client: PlatformClient;
  readonly pace: Pace;
  readonly findRequestor: FindRequestor;
  readonly looks: EntityLooks;
  readonly listing: EntityListing;
  readonly onboardings?: WaitingOnboardings;
  /** Those of the onboardings. Persons are in the platform's list; for verifications, only who is entitled may ask. */
  readonly verifications?: OnboardingVerifications;
  /** The webhooks queue. */
  readonly queue: BatchQueue;
  readonly checkpoint: Checkpoint<ReconcileProgress>;
  readonly now: () => Date;
  /** A signal that aborts after so many milliseconds: `AbortSignal.timeout`. */
  readonly timeout: (milliseconds: number) => AbortSignal;
  readonly log: Log;
  readonly metrics: Metrics;
};

/** What is under way in one run. */
type Run = {
  readonly journal: Journal<ReconcileProgress>;
  readonly repairs: boolean;
  readonly stop: AbortSignal;
  readonly ask: AskPlatform;
  readonly found: Finding[];
};

/** Items of an index, or of the table, that are looked at before the next checkpoint. */
const marksAtOnce = 25;
const entitiesAtOnce = 200;
const verificationsAtOnce = 100;

/** Calls for single entities that may fail in a row. */
const mostFailures = 3;

/**
 * One run of reconciliation: reads back what is to be read back, wakes onboardings that have waited too long, and goes on
 * with the walk from where the run before it stopped. What differs goes to `store`, the only one to write entities.
 *
 * Any step can be repeated, and runs may overlap: one goes on, the others end. A report uses no checkpoint, and writes nothing.
 *
 * @throws {ReconcileRequestError} for what it cannot be invoked with
 * @throws when the platform, DynamoDB or SQS fails: the next run goes on from the last page that was looked at
 */
export function createReconcile(deps: ReconcileDeps) {
  const {
    client,
    pace,
    looks,
    listing,
    onboardings = nobodyWaits,
    verifications = noVerifications,
    queue,
    checkpoint,
    now,
    timeout,
    log,
    metrics,
  } = deps;

  return async (event: unknown, { signal }: { readonly signal: AbortSignal }): Promise<GapReport> => {
    const { mode, seconds, from } = readReconcileRequest(event);
    const repairs = mode === 'repair';
    const journal = repairs ? await checkpoint.open() : keepInMemory(from ?? reconcileProgress.parse({}));
    const tolerated = journal.progress.stumbles >= mostStumbles ? Number.POSITIVE_INFINITY : mostFailures;
    const run: Run = {
      journal,
      repairs,
      stop: seconds === undefined ? signal : AbortSignal.any([signal, timeout(seconds * 1_000)]),
      ask: createAskPlatform({ ...deps, mostFailures: tolerated }),
      found: [],
    };
    const outcome = await runUntilStopped(run);
    return writeReport({ mode, outcome, progress: journal.progress, found: run.found, now: now() });
  };

  async function runUntilStopped(run: Run): Promise<GapReport['outcome']> {
    try {
      await unlessStopped(run.stop, goOn(run));
      return 'complete';
    } catch (error) {
      if (run.stop.aborted) return 'time is over';
      if (error instanceof CheckpointConflictError) return 'another run is at work';
      throw error;
    }
  }

  async function goOn(run: Run): Promise<void> {
    const { journal } = run;
    // Whether onboardings can be woken or not, entities have to be looked at.
    const failure = await begin(run).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (failure?.error instanceof CheckpointConflictError) throw failure.error;
    run.stop.throwIfAborted();
    try {
      await passMarked(run);
      await walkPersons(run);
      await walkVerifications(run);
      await walkEntities(run);
    } catch (error) {
      run.stop.throwIfAborted();
      if (error instanceof PlatformError || error instanceof PersonsCursorError)
        await journal.save(stumble(journal.progress));
      throw error;
    }
    if (failure !== undefined) throw failure.error;
    await end(run);
  }

  /** Begins the run, with the onboardings that have waited for too long. */
  async function begin({ journal, repairs }: Run): Promise<void> {
    const begun = beginRun(journal.progress, now(), repairs);
    const due = await onboardings.listDue(now()).catch(async (error: unknown) => {
      await journal.save(begun);
      throw error;
    });
    await journal.save({ ...begun, walk: { ...begun.walk, onboardingsDue: due.length } });
    if (!repairs || due.length === 0) return;
    log.warn('onboardings have waited for too long, they are woken', { size: due.length });
    await onboardings.wake(due);
  }

  async function passMarked(run: Run): Promise<void> {
    const { journal, ask, stop } = run;
    let { pass } = journal.progress;
    while (pass !== undefined) {
      const shard = readBackShards[pass.shard] ?? '';
      const { items, next } = await listing.toReadBack(shard, { start: pass.start, most: marksAtOnce });
      const following = passOn(pass, next);
      // Most shards are empty, and not worth a checkpoint each.
      if (items.length > 0 || following === undefined)
        await take(run, await looks.atMarked(items, ask, stop), (progress) => ({ ...progress, pass: following }));
      pass = following;
    }
  }

  async function walkPersons(run: Run): Promise<void> {
    try {
      await walkPersonsOn(run);
    } catch (error) {
      const { progress } = run.journal;
      if (!(error instanceof PersonsCursorError)) throw error;
      run.stop.throwIfAborted();
      log.warn('the platform does not take a cursor, its list of persons is read anew', { error });
      await run.journal.save({ ...progress, walk: startPersonsOver(walkOf(progress)) });
      await walkPersonsOn(run);
    }
  }

  async function walkPersonsOn(run: Run): Promise<void> {
    for (let walked = walkOf(run.journal.progress); walked.phase === 'persons'; walked = walkOf(run.journal.progress)) {
      const { cursor, trail } = walked;
      await pace(run.stop);
      const readOn = now();
      const { items, next } = await readPersonsPage(client, cursor, run.stop);
      const look = await looks.atPersons(items, readOn);
      const following = followTrail(trail, cursor, next);
      await take(run, look, ({ walk, ...progress }) => ({
        ...progress,
        walk: walk && afterPersons(walk, next, following),
        stumbles: 0,
      }));
    }
  }

  async function walkVerifications(run: Run): Promise<void> {
    const { journal, ask, stop } = run;
    for (let walked = walkOf(journal.progress); walked.phase === 'verifications'; walked = walkOf(journal.progress)) {
      const { items, next } = await verifications.list({ start: walked.start, most: verificationsAtOnce });
      await take(run, await looks.atVerifications(items, ask, stop), ({ walk, ...progress }) => ({
        ...progress,
        walk: walk && afterVerifications(walk, next),
        stumbles: 0,
      }));
    }
  }

  async function walkEntities(run: Run): Promise<void> {
    const { journal, ask, stop } = run;
    for (let isOver = false; !isOver; ) {
      const { start } = walkOf(journal.progress);
      const listed = await listing.all({ start, most: entitiesAtOnce });
      const look = await looks.atQuiet(listed, ask, stop);
      isOver = listed.next === undefined;
      await take(run, look, ({ walk, ...progress }) => ({
        ...progress,
        walk: walk && { ...walk, start: listed.next },
        stumbles: 0,
      }));
    }
  }

  /** Hands over what is to be repaired, then moves on: a crash in between has it handed over again. */
  async function take(run: Run, look: Look, move: (progress: ReconcileProgress) => ReconcileProgress): Promise<void> {
    const { journal, repairs, stop, found } = run;
    stop.throwIfAborted();
    if (repairs)
      await queue.sendAll(look.findings.flatMap(({ answer }) => (answer ? [writeReadBackMessage(answer)] : [])));
    stop.throwIfAborted();
    const walk = addLook(walkOf(journal.progress), look, repairs);
    await journal.save(move({ ...journal.progress, walk }));
    found.push(...look.findings);
    if (repairs) tell(look);
  }

  function tell({ lookedAt, findings }: Look): void {
    const number = (what: Finding['what']) => findings.filter((finding) => finding.what === what).length;
    metrics.count('EntitiesReconciled', lookedAt.length);
    metrics.count('DriftFound', number('drifted'));
    metrics.count('EntitiesReadBack', number('to be read back'));
    metrics.count('EntitiesGone', number('gone'));
    metrics.count('ReadBacksUnanswered', number('unanswered'));
    if (number('drifted') > 0)
      log.warn('entities are not as the platform has them, they are repaired', { size: number('drifted') });
  }

  /** Only here a walk counts as done. */
  async function end({ journal, repairs }: Run): Promise<void> {
    const { counts } = walkOf(journal.progress);
    await journal.save(endWalk(journal.progress, now()));
    if (!repairs) return;
    const ofEach = Object.values(counts);
    metrics.count('ReconciliationsCompleted');
    metrics.measure(
      'EntitiesStale',
      ofEach.reduce((sum, { stale }) => sum + stale, 0),
    );
    log.info('reconciled with the platform', { size: ofEach.reduce((sum, { lookedAt }) => sum + lookedAt, 0) });
  }

  function walkOf(progress: ReconcileProgress): Walk {
    return progress.walk ?? newWalk(now());
  }
}
