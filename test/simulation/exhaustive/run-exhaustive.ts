import type { PlantedBug } from '#test/simulation/bugs/planted-bug.ts';
import type { FaultKind } from '#test/simulation/faults/fault-kinds.ts';
import type { ThreadInput } from '#test/simulation/prepare-thread.ts';
import { startThreads, type Threads } from '#test/simulation/threads.ts';
import type { HistoryName } from './small-history.ts';
import type { DoneHistory, EnumeratedFailure, Job, JobResult } from './worker.ts';

export type ExhaustiveOptions = {
  readonly seed: number;
  /** The small histories that are run. */
  readonly names: readonly HistoryName[];
  /** How many faults a history has at the most: with 2 there is each fault, and each pair. */
  readonly maxFaults: 0 | 1 | 2;
  /** The kinds of faults that are enumerated; all of them unless given. */
  readonly kinds?: readonly FaultKind[];
  /** The functions whose I/Os are enumerated, and nothing else; unless given, all, and the steps of the world. */
  readonly callers?: readonly string[];
  readonly workers: number;
  readonly bug?: PlantedBug | undefined;
  /** Whether to begin no more once a history has failed. */
  readonly stopAtFailure?: boolean;
  readonly onProgress?: (progress: ExhaustiveProgress) => void;
};

/** How many histories are done, of those of the name and with so many faults as are tried now. */
export type ExhaustiveProgress = {
  readonly name: HistoryName;
  readonly done: number;
  readonly all: number;
  /** Since the first of them. */
  readonly seconds: number;
};

/** What became of a small history. */
export type ExhaustiveResult = {
  readonly name: HistoryName;
  /** Of the history without faults. */
  readonly ios: number;
  /** And of all places at which something can go wrong. */
  readonly faultPoints: number;
  /** How many histories were run: without faults, with each, with each pair. */
  readonly histories: readonly number[];
  /** How often each kind of fault happened. */
  readonly counts: ReadonlyMap<FaultKind, number>;
  readonly failures: readonly EnumeratedFailure[];
};

/** Histories that a worker runs at a time. */
const jobSize = 20;

/**
 * Runs small histories with each fault that they could have, and with each pair of faults: the second is any that the
 * history could have as it goes after the first, so that what is done because of the first can fail, too. A history that
 * failed is not tried with more faults.
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
  const failures: EnumeratedFailure[] = [];
  let [ios, faultPoints] = [0, 0];
  let upcoming: readonly string[] = [''];
  for (let faults = 0; faults <= maxFaults && !(stopAtFailure && failures.length > 0); faults += 1) {
    const results = await runAll({ histories: upcoming, wantsNext: faults < maxFaults, name }, options, threads);
    const done = results.flatMap((result) => result.done);
    for (const result of results)
      for (const [kind, count] of result.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
    failures.push(...done.flatMap(({ failure }) => failure ?? []));
    histories.push(done.length);
    if (faults === 0) [ios, faultPoints] = [done[0]?.ios ?? 0, done[0]?.faultPoints ?? 0];
    upcoming = done.flatMap(withOneMore);
  }
  return { name, ios, faultPoints, histories, counts, failures };
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
