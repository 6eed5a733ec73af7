/** A thread that runs enumerated histories one after the other, with an optional planted bug. */
import { workerData } from 'node:worker_threads';
import type { FaultKind } from '#test/simulation/faults/fault-kinds.ts';
import { answerJobs, prepareThread } from '#test/simulation/prepare-thread.ts';
import type { BrokenPromise } from '#test/simulation/promises/promise.ts';
import { createTally, type Judgements, type Tally } from '#test/simulation/promises/tally.ts';
import { distinctFaults } from './distinct-faults.ts';
import { type EnumeratedFault, readFaults, writeFault } from './enumerated-fault.ts';
import type { EnumeratedHistory } from './enumerated-history.ts';
import type { FaultVariant } from './fault-variants.ts';
import type { HistoryName } from './small-history.ts';

/** Histories, each by the text of its faults, and whether to return the possible next faults. */
export type Job = {
  readonly seed: number;
  readonly name: HistoryName;
  readonly histories: readonly string[];
  readonly wantsNext: boolean;
  /** The kinds of faults to enumerate. The default is all. */
  readonly kinds: readonly FaultKind[] | undefined;
  /** The functions whose I/Os are enumerated. The default is all functions and the steps of the environment. */
  readonly callers: readonly string[] | undefined;
};

export type JobResult = {
  readonly done: readonly DoneHistory[];
  readonly counts: ReadonlyMap<FaultKind, number>;
  /** How often each promise was checked. */
  readonly judgements: Judgements;
};

export type DoneHistory = {
  readonly faults: string;
  /** A broken promise or an error; undefined without either. */
  readonly failure: EnumeratedFailure | undefined;
  /** The number of I/Os, and the number of all fault points. */
  readonly ios: number;
  readonly faultPoints: number;
  /** The possible next faults. Empty after a failure, and when they were not requested. */
  readonly next: readonly string[];
};

export type EnumeratedFailure = { readonly faults: string; readonly broken?: BrokenPromise; readonly error?: string };

prepareThread(workerData);

// Loaded after the preparation, so that the product contains the planted bug.
const { runEnumerated } = await import('./enumerated-history.ts');
const { createPlatformAppForAll } = await import('#test/simulation/system/platform-app.ts');
const app = createPlatformAppForAll();

async function run(job: Job): Promise<JobResult> {
  const counts = new Map<FaultKind, number>();
  const tally = createTally();
  const done: DoneHistory[] = [];
  for (const faults of job.histories) done.push(await runOne(faults, job, { counts, tally }));
  return { done, counts, judgements: tally.judgements() };
}

async function runOne(
  text: string,
  { seed, name, wantsNext, kinds, callers }: Job,
  { counts, tally }: { readonly counts: Map<FaultKind, number>; readonly tally: Tally },
): Promise<DoneHistory> {
  try {
    const faults = readFaults(text);
    const history = await runEnumerated({ seed, name, faults }, { app });
    for (const [kind, count] of history.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
    tally.add(history.judgements);
    const { broken, faultPoints } = history;
    return {
      faults: text,
      failure: broken && { faults: text, broken },
      ios: faultPoints.filter(({ call }) => call !== undefined).length,
      faultPoints: faultPoints.length,
      next: broken === undefined && wantsNext ? nextFaults(history, faults, { kinds, callers }) : [],
    };
  } catch (error) {
    return { faults: text, failure: { faults: text, error: describe(error) }, ios: 0, faultPoints: 0, next: [] };
  }
}

/** Each distinct fault after the given faults. Pairs only use main variants. */
function nextFaults(
  { faultPoints }: EnumeratedHistory,
  faults: readonly EnumeratedFault[],
  { kinds, callers }: Pick<Job, 'kinds' | 'callers'>,
): readonly string[] {
  if (!faults.every(({ variant }) => variant.isMain)) return [];
  const isTried = ({ kind, isMain }: FaultVariant) =>
    (isMain || faults.length === 0) && (kinds === undefined || kinds.includes(kind));
  return distinctFaults(faultPoints)
    .filter(({ number, call }) => number > (faults.at(-1)?.at ?? 0) && (callers?.includes(call?.caller ?? '') ?? true))
    .flatMap(({ number, variants }) => variants.filter(isTried).map((variant) => writeFault({ at: number, variant })));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

answerJobs(run);
