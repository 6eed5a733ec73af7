import { type Checkpoint, CheckpointConflictError } from '#shared/aws/checkpoint.ts';
import type { GapReport } from '#shared/bus/gap-report.ts';
import type { DueEntities } from '#shared/entities/due-entities.ts';
import { PlatformError } from '#shared/platform/client/errors.ts';
import { raceAbort } from '#shared/platform/client/fetch.ts';
import { createDuePass, type DuePassDeps } from './due-pass.ts';
import type { FindRequestor } from './find-requestor.ts';
import { keepInMemory } from './in-memory-checkpoint.ts';
import { PersonsCursorError } from './persons-page.ts';
import { createPlatformWalk, type PlatformWalkDeps } from './platform-walk.ts';
import { createReadPlatform } from './read-platform.ts';
import {
  beginRun,
  endWalk,
  isWalkOver,
  maxFailedRuns,
  type ReconcileProgress,
  reconcileProgress,
  recordFailedRun,
  walkOf,
} from './reconcile-progress.ts';
import { type ReconcileRequest, readReconcileRequest } from './reconcile-request.ts';
import { type AcceptDeps, createAccept, type Run } from './run.ts';
import { createTableScan, type TableScanDeps } from './table-scan.ts';
import { writeReport } from './write-report.ts';

export type ReconcileDeps = Omit<
  DuePassDeps & PlatformWalkDeps & TableScanDeps,
  'accept' | 'handOver' | 'dueEntities'
> &
  AcceptDeps & {
    readonly dueEntities: DueEntities;
    readonly findRequestor: FindRequestor;
    readonly checkpoint: Checkpoint<ReconcileProgress>;
    /** A signal that aborts after so many milliseconds: `AbortSignal.timeout`. */
    readonly timeout: (milliseconds: number) => AbortSignal;
  };

/** Calls for single entities that may fail in a row. */
const maxFailures = 3;

/** In seconds: how long a run takes at most when it is not invoked for fewer. The time limit of Lambda, less its end. */
const maxSeconds = 840;

/**
 * One run of reconciliation: asks for what is due, and continues with the walks from where the run before it stopped. What
 * differs goes to `store`, the only one to write the state of entities.
 *
 * Any step can be repeated, and runs may overlap: one continues, the others end. A report saves no checkpoint, and writes nothing.
 *
 * @throws {ReconcileRequestError} for what it cannot be invoked with
 * @throws when the platform, DynamoDB or SQS fails: the next run continues from the last page that was checked
 */
export function createReconcile(deps: ReconcileDeps) {
  const { checkpoint, now, timeout, log, metrics } = deps;
  const acceptance = createAccept(deps);
  const scanTable = createTableScan({ ...deps, ...acceptance });
  const { takeDue, countStale } = createDuePass({ ...deps, ...acceptance });
  const { walkPersons, walkVerifications } = createPlatformWalk({ ...deps, ...acceptance });

  return async (event: unknown, { signal }: { readonly signal: AbortSignal }): Promise<GapReport> => {
    const request = readReconcileRequest(event);
    const { mode, seconds, full: isWhole = false } = request;
    const repairs = mode === 'repair';
    const journal = await openJournal(request);
    const tolerated = journal.progress.stumbles >= maxFailedRuns ? Number.POSITIVE_INFINITY : maxFailures;
    const run: Run = {
      journal,
      repairs,
      limitMs: (seconds ?? maxSeconds) * 1_000,
      stop: seconds === undefined ? signal : AbortSignal.any([signal, timeout(seconds * 1_000)]),
      ask: createReadPlatform({ ...deps, maxFailures: tolerated }),
      found: [],
      stale: { longest: [], others: 0 },
      isBehind: true,
      isAtPersons: false,
    };
    const outcome = await runUntilStopped(run, isWhole);
    if (repairs && !run.isBehind && outcome !== 'another run is at work') metrics.count('ReconciliationsCompleted');
    // An operator's report has several invocations: the last one names what is stale.
    const stale = outcome === 'complete' ? run.stale : undefined;
    return writeReport({ mode, outcome, progress: journal.progress, found: run.found, stale, now: now() });
  };

  /** A report writes no checkpoint. It reads what a repair has scanned, to scan the table itself where that is not all. */
  async function openJournal({ mode, from }: ReconcileRequest): Promise<Run['journal']> {
    const journal = await checkpoint.open();
    if (mode === 'repair') return journal;
    const { fill } = journal.progress;
    return keepInMemory(from ?? { ...reconcileProgress.parse({}), ...(fill?.completedOn !== undefined && { fill }) });
  }

  async function runUntilStopped(run: Run, isWhole: boolean): Promise<GapReport['outcome']> {
    try {
      return (await raceAbort(run.stop, () => runOn(run, isWhole))) ? 'complete' : 'time is over';
    } catch (error) {
      if (run.stop.aborted) return 'time is over';
      if (error instanceof CheckpointConflictError) return 'another run is at work';
      throw error;
    }
  }

  /** @returns whether the walk is over */
  async function runOn(run: Run, isWhole: boolean): Promise<boolean> {
    const { journal, repairs } = run;
    await journal.save(beginRun(journal.progress, now(), { repairs, isWhole }));
    run.stop.throwIfAborted();
    try {
      await scanTable(run);
      await takeDue(run);
      if (repairs) await countStale(run);
      await walkVerifications(run);
      await walkPersons(run);
      // With the time that the list of persons has left.
      await scanTable(run);
      await walkVerifications(run);
    } catch (error) {
      run.stop.throwIfAborted();
      if (error instanceof PlatformError || error instanceof PersonsCursorError)
        await journal.save(recordFailedRun(journal.progress, run.isAtPersons));
      throw error;
    }
    if (!isWalkOver(journal.progress)) return false;
    if (!repairs) await countStale(run);
    await end(run);
    return true;
  }

  /** Only here a walk counts as done. */
  async function end({ journal, repairs }: Run): Promise<void> {
    const { counts } = walkOf(journal.progress, now());
    await journal.save(endWalk(journal.progress, now()));
    const size = Object.values(counts).reduce((sum, { checked }) => sum + checked, 0);
    if (repairs) log.info('reconciliation finished', { size });
  }
}
