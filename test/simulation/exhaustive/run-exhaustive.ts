import type { PlantedBug } from '#test/simulation/bugs/planted-bug.ts';
import type { FaultKind } from '#test/simulation/faults/fault-kinds.ts';
import type { ThreadInput } from '#test/simulation/prepare-thread.ts';
import { createTally, type Judgements } from '#test/simulation/promises/tally.ts';
import { startThreads, type Threads } from '#test/simulation/threads.ts';
import type { HistoryName } from './small-history.ts';
import type { DoneHistory, EnumeratedFailure, Job, JobResult } from './worker.ts';

export type ExhaustiveOptions = {
  readonly seed: number;
  /** The small histories to run. */
  readonly names: readonly HistoryName[];
  /** The maximum number of faults per history. With 2, each fault and each pair is run. */
  readonly maxFaults: 0 | 1 | 2;
  /** The kinds of faults to enumerate. The default is all. */
  readonly kinds?: readonly FaultKind[];
  /** The functions whose I/Os are enumerated. The default is all functions and the steps of the environment. */
  readonly callers?: readonly string[];
  readonly workers: number;
  readonly bug?: PlantedBug | undefined;
  /** Whether to start no history after the first failure. */
  readonly stopAtFailure?: boolean;
  readonly onProgress?: (progress: ExhaustiveProgress) => void;
};

/** The progress of the histories with the current name and number of faults. */
export type ExhaustiveProgress = {
  readonly name: HistoryName;
  readonly done: number;
  readonly all: number;
  /** The time since the first of these histories. */
  readonly seconds: number;
};

/** The result of a small history with all its faults. */
export type ExhaustiveResult = {
  readonly name: HistoryName;
  /** The number of I/Os of the history without faults. */
  readonly ios: number;
  /** The number of fault points of the history without faults. */
  readonly faultPoints: number;
  /** The numbers of histories without faults, with one fault, and with a pair of faults. */
  readonly histories: readonly number[];
  /** How often each kind of fault happened. */
  readonly counts: ReadonlyMap<FaultKind, number>;
  /** How often each promise was checked. */
  readonly judgements: Judgements;
  readonly failures: readonly EnumeratedFailure[];
};

/** The number of histories per job. */
const jobSize = 20;

/**
 * Runs small histories with each possible fault and with each pair of faults. The second fault is any fault that is possible
 * after the first one, so that the handling of the first fault can fail too. A failed history gets no second fault.
 */
export async function runExhaustive(options: ExhaustiveOptions): Promise<readonly ExhaustiveResult[]> {
  const workerData: ThreadInput = { bug: options.bug };
  const url = new URL('worker.ts', import.meta.url);
  const threads = startThreads<Job, JobResult>({ url, workerData, workers: options.workers });
  const results: ExhaustiveResult[] = [];
  try {
    for (const name of options.names) {
      const result = await exhaust(name, options, threads);
      results.push(result);
      if (options.stopAtFailure === true && result.failures.length > 0) break;
    }
  } finally {
    await threads.end();
  }
  return results;
}

async function exhaust(
  name: HistoryName,
  options: ExhaustiveOptions,
  threads: Threads<Job, JobResult>,
): Promise<ExhaustiveResult> {
  const { maxFaults, stopAtFailure = false } = options;
  const histories: number[] = [];
  const counts = new Map<FaultKind, number>();
  const tally = createTally();
  const failures: EnumeratedFailure[] = [];
  let [ios, faultPoints] = [0, 0];
  let upcoming: readonly string[] = [''];
  for (let faults = 0; faults <= maxFaults && !(stopAtFailure && failures.length > 0); faults += 1) {
    const results = await runAll({ histories: upcoming, wantsNext: faults < maxFaults, name }, options, threads);
    const done = results.flatMap((result) => result.done);
    for (const result of results) {
      tally.add(result.judgements);
      for (const [kind, count] of result.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
    }
    failures.push(...done.flatMap(({ failure }) => failure ?? []));
    histories.push(done.length);
    if (faults === 0) [ios, faultPoints] = [done[0]?.ios ?? 0, done[0]?.faultPoints ?? 0];
    upcoming = done.flatMap(withOneMore);
  }
  return { name, ios, faultPoints, histories, counts, judgements: tally.judgements(), failures };
}

function withOneMore({ faults, next }: DoneHistory): readonly string[] {
  return next.map((one) => (faults === '' ? one : `${faults},${one}`));
}

async function runAll(
  { histories, wantsNext, name }: Omit<Job, 'seed' | 'kinds' | 'callers'>,
  { seed, kinds, callers, stopAtFailure = false, onProgress = () => undefined }: ExhaustiveOptions,
  threads: Threads<Job, JobResult>,
): Promise<readonly JobResult[]> {
  const results: JobResult[] = [];
  const startedAt = performance.now();
  let begun = 0;
  let done = 0;
  let hasFailed = false;

  function takeJob(): Job | undefined {
    if (begun >= histories.length || (stopAtFailure && hasFailed)) return undefined;
    const some = histories.slice(begun, begun + jobSize);
    begun += some.length;
    return { seed, name, histories: some, wantsNext, kinds, callers };
  }

  await threads.run(takeJob, (result) => {
    results.push(result);
    done += result.done.length;
    hasFailed ||= result.done.some(({ failure }) => failure !== undefined);
    onProgress({ name, done, all: histories.length, seconds: (performance.now() - startedAt) / 1_000 });
  });
  return results;
}
