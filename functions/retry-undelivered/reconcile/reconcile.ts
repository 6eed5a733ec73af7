import { type Checkpoint, CheckpointConflictError } from '#shared/aws/checkpoint.ts';
import type { GapReport } from '#shared/bus/gap-report.ts';
import { PlatformError } from '#shared/platform/client/errors.ts';
import { raceAbort } from '#shared/platform/client/race-abort.ts';
import type { FindRequestor } from './find-requestor.ts';
import { keepInMemory } from './in-memory-checkpoint.ts';
import { PersonsCursorError } from './persons-page.ts';
import { createReadPlatform } from './read-platform.ts';
import {
  beginRun,
  endWalk,
  maxFailedRuns,
  newWalk,
  type ReconcileProgress,
  reconcileProgress,
  recordFailedRun,
} from './reconcile-progress.ts';
import { readReconcileRequest } from './reconcile-request.ts';
import { createGoOn, type Run, type WalkDeps } from './reconcile-walk.ts';
import { writeReport } from './write-report.ts';

/** Onboardings that wait: for what may not come. */
export type WaitingOnboardings = {
  /** The onboardings that were due by then, or some of them when they are many. */
  readonly listDue: (by: Date) => Promise<readonly string[]>;
  /** Wakes them. Can be repeated. */
  readonly wake: (onboardingIds: readonly string[]) => Promise<void>;
};

export type ReconcileDeps = WalkDeps & {
  readonly findRequestor: FindRequestor;
  readonly onboardings: WaitingOnboardings;
  /** The pace of the calls to the platform. */
  readonly callsPerSecond: number;
  readonly checkpoint: Checkpoint<ReconcileProgress>;
  /** A signal that aborts after so many milliseconds: `AbortSignal.timeout`. */
  readonly timeout: (milliseconds: number) => AbortSignal;
};

/** Calls for single entities that may fail in a row. */
const maxFailures = 3;

/** In seconds: how long a run takes at most when it is not invoked for fewer. The time limit of Lambda, less its end. */
const maxSeconds = 840;

/** The part of a run that reads back what is marked. The rest is for the walk. */
const markedShare = 0.5;

/**
 * One run of reconciliation: reads back what is to be read back, wakes onboardings that have waited too long, and continues
 * with the walk from where the run before it stopped. What differs goes to `store`, the only one to write entities.
 *
 * Any step can be repeated, and runs may overlap: one continues, the others end. A report uses no checkpoint, and writes nothing.
 *
 * @throws {ReconcileRequestError} for what it cannot be invoked with
 * @throws when the platform, DynamoDB or SQS fails: the next run continues from the last page that was checked
 */
export function createReconcile(deps: ReconcileDeps) {
  const { onboardings, callsPerSecond, checkpoint, now, timeout, log, metrics } = deps;
  const goOn = createGoOn(deps);

  return async (event: unknown, { signal }: { readonly signal: AbortSignal }): Promise<GapReport> => {
    const { mode, seconds, from } = readReconcileRequest(event);
    const repairs = mode === 'repair';
    const journal = repairs ? await checkpoint.open() : keepInMemory(from ?? reconcileProgress.parse({}));
    const tolerated = journal.progress.stumbles >= maxFailedRuns ? Number.POSITIVE_INFINITY : maxFailures;
    const run: Run = {
      journal,
      repairs,
      maxMarked: (seconds ?? maxSeconds) * markedShare * callsPerSecond,
      stop: seconds === undefined ? signal : AbortSignal.any([signal, timeout(seconds * 1_000)]),
      ask: createReadPlatform({ ...deps, maxFailures: tolerated }),
      found: [],
    };
    const outcome = await runUntilStopped(run);
    return writeReport({ mode, outcome, progress: journal.progress, found: run.found, now: now() });
  };

  async function runUntilStopped(run: Run): Promise<GapReport['outcome']> {
    try {
      await raceAbort(run.stop, () => runOn(run));
      return 'complete';
    } catch (error) {
      if (run.stop.aborted) return 'time is over';
      if (error instanceof CheckpointConflictError) return 'another run is at work';
      throw error;
    }
  }

  async function runOn(run: Run): Promise<void> {
    const { journal } = run;
    // Entities must be checked, even when no onboarding can be woken.
    const failure = await begin(run).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (failure?.error instanceof CheckpointConflictError) throw failure.error;
    run.stop.throwIfAborted();
    try {
      await goOn(run);
    } catch (error) {
      run.stop.throwIfAborted();
      if (error instanceof PlatformError || error instanceof PersonsCursorError)
        await journal.save(recordFailedRun(journal.progress));
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
    log.warn('overdue onboardings woken', { size: due.length });
    await onboardings.wake(due);
  }

  /** Only here a walk counts as done. */
  async function end({ journal, repairs }: Run): Promise<void> {
    const { counts } = journal.progress.walk ?? newWalk(now());
    await journal.save(endWalk(journal.progress, now()));
    if (!repairs) return;
    const ofEach = Object.values(counts);
    metrics.count('ReconciliationsCompleted');
    metrics.measure(
      'EntitiesStale',
      ofEach.reduce((sum, { stale }) => sum + stale, 0),
    );
    log.info('reconciliation finished', { size: ofEach.reduce((sum, { checked }) => sum + checked, 0) });
  }
}
