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

export type ReconcileDeps = WalkDeps & {
  readonly findRequestor: FindRequestor;
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
 * One run of reconciliation: reads back what is to be read back, and continues with the walk from where the run before it
 * stopped. What differs goes to `store`, the only one to write entities.
 *
 * Any step can be repeated, and runs may overlap: one continues, the others end. A report uses no checkpoint, and writes nothing.
 *
 * @throws {ReconcileRequestError} for what it cannot be invoked with
 * @throws when the platform, DynamoDB or SQS fails: the next run continues from the last page that was checked
 */
export function createReconcile(deps: ReconcileDeps) {
  const { callsPerSecond, checkpoint, now, timeout, log, metrics } = deps;
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
    await journal.save(beginRun(journal.progress, now(), run.repairs));
    run.stop.throwIfAborted();
    try {
      await goOn(run);
    } catch (error) {
      run.stop.throwIfAborted();
      if (error instanceof PlatformError || error instanceof PersonsCursorError)
        await journal.save(recordFailedRun(journal.progress));
      throw error;
    }
    await end(run);
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
