/** A thread that runs enumerated histories, one after the other; with a bug planted, where it is given one. */
import { workerData } from 'node:worker_threads';
import type { FaultKind } from '#test/simulation/faults/fault-kinds.ts';
import { answerJobs, prepareThread } from '#test/simulation/prepare-thread.ts';
import type { BrokenPromise } from '#test/simulation/promises/promise.ts';
import { type EnumeratedFault, readFaults, writeFault } from './enumerated-fault.ts';
import type { EnumeratedHistory } from './enumerated-history.ts';
import type { FaultVariant } from './fault-variants.ts';
import type { HistoryName } from './small-history.ts';

/** Histories, by the faults of each as they are written; and whether it is asked what could go wrong after them. */
export type Job = {
  readonly seed: number;
  readonly name: HistoryName;
  readonly histories: readonly string[];
  readonly wantsNext: boolean;
  /** The kinds of faults that are enumerated; all of them unless given. */
  readonly kinds: readonly FaultKind[] | undefined;
  /** The functions whose I/Os are enumerated, and nothing else; unless given, all, and the steps of the world. */
  readonly callers: readonly string[] | undefined;
};

export type JobResult = {
  readonly done: readonly DoneHistory[];
  readonly counts: ReadonlyMap<FaultKind, number>;
};

export type DoneHistory = {
  readonly faults: string;
  /** A promise was broken; or it did not end, or something failed in it that must not. */
  readonly failure: EnumeratedFailure | undefined;
  /** How many I/Os it had, and how many places in all at which something can go wrong. */
  readonly ios: number;
  readonly faultPoints: number;
  /** All that could go wrong after its faults, one at a time; of a history that failed, and unless asked for, nothing. */
  readonly next: readonly string[];
};

export type EnumeratedFailure = { readonly faults: string; readonly broken?: BrokenPromise; readonly error?: string };

prepareThread(workerData);

// Not before: so that the product is loaded with the bug in it.
const { runEnumerated } = await import('./enumerated-history.ts');
const { createPlatformAppForAll } = await import('#test/simulation/system/platform-app.ts');
const app = createPlatformAppForAll();

async function run(job: Job): Promise<JobResult> {
  const counts = new Map<FaultKind, number>();
  const done: DoneHistory[] = [];
  for (const faults of job.histories) done.push(await runOne(faults, job, counts));
  return { done, counts };
}

async function runOne(
  text: string,
  { seed, name, wantsNext, kinds, callers }: Job,
  counts: Map<FaultKind, number>,
): Promise<DoneHistory> {
  try {
    const faults = readFaults(text);
    const history = await runEnumerated({ seed, name, faults }, { app });
    for (const [kind, count] of history.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
    const { broken, faultPoints } = history;
    return {
      faults: text,
      failure: broken && { faults: text, broken },
      ios: faultPoints.filter(({ caller }) => caller !== undefined).length,
      faultPoints: faultPoints.length,
      next: broken === undefined && wantsNext ? nextFaults(history, faults, { kinds, callers }) : [],
    };
  } catch (error) {
    return { faults: text, failure: { faults: text, error: describe(error) }, ios: 0, faultPoints: 0, next: [] };
  }
}

/** Each way in which each occasion after those faults could have gone wrong; in pairs there are no variations. */
function nextFaults(
  { faultPoints }: EnumeratedHistory,
  faults: readonly EnumeratedFault[],
  { kinds, callers }: Pick<Job, 'kinds' | 'callers'>,
): readonly string[] {
  if (!faults.every(({ variant }) => variant.isMain)) return [];
  const isTried = ({ kind, isMain }: FaultVariant) =>
    (isMain || faults.length === 0) && (kinds === undefined || kinds.includes(kind));
  return faultPoints
    .slice(faults.at(-1)?.at ?? 0)
    .filter(({ caller }) => callers === undefined || (caller !== undefined && callers.includes(caller)))
    .flatMap(({ number, variants }) => variants.filter(isTried).map((variant) => writeFault({ at: number, variant })));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

answerJobs(run);
