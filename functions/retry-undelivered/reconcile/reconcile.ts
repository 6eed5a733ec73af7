import * as z from 'zod/mini';
import { type Gap, type GapReport, maxGaps } from '#shared/api/reconcile-answers.ts';
import { type Checkpoint, CheckpointConflictError, type Journal } from '#shared/aws/checkpoint.ts';
import { InvalidRequestError } from '#shared/drawbridge-error.ts';
import type { DueEntities } from '#shared/entities/due-entities.ts';
import { PlatformError } from '#shared/platform/client/errors.ts';
import { raceAbort } from '#shared/platform/client/http.ts';
import { createDuePass, type DuePassDeps } from './due-pass.ts';
import type { FindRequestor } from './find-requestor.ts';
import { paceJournal } from './paced-journal.ts';
import { createPlatformWalk, PersonsCursorError, type PlatformWalkDeps } from './platform-walk.ts';
import { createReadPlatformEntity } from './read-platform-entity.ts';
import {
  areListsDue,
  beginLists,
  beginRun,
  endWalk,
  type Finding,
  isWalkOver,
  maxFailedRuns,
  newWalk,
  type ReconcileProgress,
  reconcileProgress,
  recordFailedRun,
  walkOf,
} from './reconcile-progress.ts';
import { createRecordChecked, type RecordCheckedDeps, type Run } from './record-checked.ts';
import { createTableScan, type TableScanDeps } from './table-scan.ts';

/** The checkpoint of a run that must write nothing. */
function keepInMemory<Progress>(first: Progress): Journal<Progress> {
  let progress = first;
  return {
    get progress() {
      return progress;
    },
    save: async (next) => {
      progress = next;
    },
  };
}

export type WriteReport = Pick<GapReport, 'mode' | 'outcome'> & {
  /** As this run has left it. */
  readonly progress: ReconcileProgress;
  /** What this run has found. */
  readonly found: readonly Finding[];
  /** What is stale; undefined if another invocation says it. */
  readonly stale: Run['stale'] | undefined;
  readonly now: Date;
};

/** The answer of an invocation: the counts of the whole walk so far, and the gaps that this run has found. */
export function writeReport({ mode, outcome, progress, found, stale, now }: WriteReport): GapReport {
  const walked = progress.walk ?? progress.last ?? newWalk(now);
  const { beganOn, counts, oldestStale } = walked;
  const gaps = [...found, ...(stale?.longest ?? [])].flatMap((finding) => toGap(finding) ?? []);
  return {
    mode,
    outcome,
    beganOn,
    counts,
    oldestStale,
    gaps: gaps.slice(0, maxGaps),
    furtherGaps: Math.max(0, gaps.length - maxGaps) + (stale?.others ?? 0),
    ...(mode === 'report' && outcome === 'time is over' && { next: progress }),
  };
}

function toGap({ kind, id, what, differed, status, platformStatus }: Finding): Gap | undefined {
  if (id === undefined || what === 'to be read back') return undefined;
  return { kind, id, what, differed, status, platformStatus };
}

/** The request of `reconcile`. Strict: a typo must not turn a report into a repair. */
const reconcileRequest = z.strictObject({
  /** `report` only reads; `repair` repairs what differs, and continues where the run before stopped. */
  mode: z.enum(['report', 'repair']),
  /** The time limit; by default until the function's time is nearly over. */
  seconds: z.optional(z.number().check(z.positive(), z.maximum(900))),
  /** Whether the whole table is read, too: entities without a place in the index of due entities get one. */
  full: z.optional(z.boolean()),
  /** The `next` of a report that ran out of time. */
  from: z.optional(reconcileProgress),
});

export type ReconcileRequest = z.infer<typeof reconcileRequest>;

/** @throws {InvalidRequestError} */
export function readReconcileRequest(event: unknown): ReconcileRequest {
  const result = reconcileRequest.safeParse(event);
  if (!result.success || (result.data.mode === 'repair' && result.data.from !== undefined))
    throw new InvalidRequestError(
      'ReconcileRequestError',
      'Invoke reconcile with {"mode": "report" | "repair"}, "seconds" if it must end sooner, and "full": true if it must read the whole table. "from" is what a report gave as "next". {"mode": "compare", "kind", "id"} compares one entity, and {"mode": "last"} reports the last walk.',
    );
  return result.data;
}

export type ReconcileDeps = Omit<
  DuePassDeps & PlatformWalkDeps & TableScanDeps,
  'recordChecked' | 'handOver' | 'dueEntities'
> &
  RecordCheckedDeps & {
    readonly dueEntities: DueEntities;
    readonly findRequestor: FindRequestor;
    readonly checkpoint: Checkpoint<ReconcileProgress>;
    /** How often scheduled runs read the lists of persons and verifications. */
    readonly listEveryHours: number;
    /** A signal that aborts after so many milliseconds: `AbortSignal.timeout`. */
    readonly timeout: (milliseconds: number) => AbortSignal;
  };

/** Calls for single entities that may fail in a row. */
const maxFailures = 3;

/** In seconds: the default time limit of a run, which is below that of Lambda. */
const maxSeconds = 840;

/**
 * One run of reconciliation: checks due entities, then continues the walks where the run before stopped. Differences go to `store`, the
 * only function that writes the state of entities.
 *
 * Any part can be repeated, and runs may overlap: one continues, the others end. A report saves no checkpoint, and writes nothing.
 *
 * @throws {InvalidRequestError} for what it cannot be invoked with
 * @throws when the platform, DynamoDB or SQS fails: the next run continues from the last page that was checked
 */
export function createReconcile(deps: ReconcileDeps) {
  const { checkpoint, listEveryHours, now, timeout, log, metrics } = deps;
  const recording = createRecordChecked(deps);
  const scanTable = createTableScan({ ...deps, ...recording });
  const { checkDue, checkMoreDue, countStale } = createDuePass({ ...deps, ...recording });
  const { walkPersons, walkVerifications } = createPlatformWalk({ ...deps, ...recording });

  return async (event: unknown, { signal }: { readonly signal: AbortSignal }): Promise<GapReport> => {
    const request = readReconcileRequest(event);
    const { mode, seconds, full: isFull = false } = request;
    const repairs = mode === 'repair';
    const journal = paceJournal(await openJournal(request), now);
    const tolerated = journal.progress.stumbles >= maxFailedRuns ? Number.POSITIVE_INFINITY : maxFailures;
    const run: Run = {
      beganOn: now(),
      journal,
      repairs,
      isListing: needsLists(request, journal.progress),
      limitMs: (seconds ?? maxSeconds) * 1_000,
      stop: seconds === undefined ? signal : AbortSignal.any([signal, timeout(seconds * 1_000)]),
      ask: createReadPlatformEntity({ ...deps, maxFailures: tolerated }),
      found: [],
      stale: { longest: [], others: 0 },
      isBehind: true,
      isAtPersons: false,
    };
    const outcome = await runUntilStopped(run, isFull);
    if (repairs && !run.isBehind && outcome !== 'another run is at work') metrics.count('ReconciliationsCompleted');
    // An operator's report has several invocations: the last one names what is stale.
    const stale = outcome === 'complete' ? run.stale : undefined;
    return writeReport({ mode, outcome, progress: journal.progress, found: run.found, stale, now: now() });
  };

  function needsLists({ mode, seconds, full }: ReconcileRequest, progress: ReconcileProgress): boolean {
    // A caller that sets a time limit waits for the answer, and wants to know about everything.
    if (mode === 'report' || full === true || seconds !== undefined) return true;
    // A run that tolerates failures must fail if the platform answers nothing at all.
    return progress.stumbles >= maxFailedRuns || areListsDue(progress, now(), listEveryHours);
  }

  /** A report writes no checkpoint. It reads how far a repair has scanned the table, and scans it itself if that is not complete. */
  async function openJournal({ mode, from }: ReconcileRequest): Promise<Journal<ReconcileProgress>> {
    const journal = await checkpoint.open();
    if (mode === 'repair') return journal;
    const { fill } = journal.progress;
    return keepInMemory(from ?? { ...reconcileProgress.parse({}), ...(fill?.completedOn !== undefined && { fill }) });
  }

  async function runUntilStopped(run: Run, isFull: boolean): Promise<GapReport['outcome']> {
    try {
      const isComplete = await raceAbort(run.stop, () => runOnce(run, isFull)).catch(async (error: unknown) => {
        if (!run.stop.aborted) throw error;
        await run.journal.flush();
        return run.journal.progress.walk === undefined;
      });
      return isComplete ? 'complete' : 'time is over';
    } catch (error) {
      if (error instanceof CheckpointConflictError) return 'another run is at work';
      throw error;
    }
  }

  /** @returns whether nothing is left: the walk is over, or only waits until the lists are due */
  async function runOnce(run: Run, isFull: boolean): Promise<boolean> {
    const { journal, repairs } = run;
    await journal.save(beginRun(journal.progress, run.beganOn, { repairs, isFull, isListing: run.isListing }));
    run.stop.throwIfAborted();
    try {
      await scanTable(run, { isShared: repairs });
      await checkDue(run);
      if (repairs) await countStale(run);
      if (run.isListing) {
        await journal.keep(beginLists(journal.progress, run.beganOn));
        await walkVerifications(run);
        await walkPersons(run);
      }
      // In the time that the list of persons leaves.
      await scanTable(run, { isShared: false });
      if (run.isListing) await walkVerifications(run);
      else {
        await journal.save({ ...journal.progress, stumbles: 0 });
        await checkMoreDue(run);
      }
    } catch (error) {
      run.stop.throwIfAborted();
      if (error instanceof PlatformError || error instanceof PersonsCursorError)
        await journal.save(recordFailedRun(journal.progress, run.isAtPersons));
      else if (!(error instanceof CheckpointConflictError)) await journal.flush();
      throw error;
    }
    if (!run.isListing || !isWalkOver(journal.progress)) {
      await journal.flush();
      return !run.isListing && !run.isBehind;
    }
    if (!repairs) await countStale(run);
    await end(run);
    return true;
  }

  /** Completes the walk. */
  async function end({ journal, repairs }: Run): Promise<void> {
    const { counts } = walkOf(journal.progress, now());
    await journal.save(endWalk(journal.progress, now()));
    const size = Object.values(counts).reduce((sum, { checked }) => sum + checked, 0);
    if (repairs) log.info('reconciliation finished', { size });
  }
}
