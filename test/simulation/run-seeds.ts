import type { PlantedBug } from './bugs/planted-bug.ts';
import { type FaultKind, faultKinds } from './faults/fault-kinds.ts';
import type { AwsService } from './faults/long-failure.ts';
import type { ThreadInput } from './prepare-thread.ts';
import { createTally, type Judgements } from './promises/tally.ts';
import { startThreads } from './threads.ts';
import type { Failure, Job, JobResult } from './worker.ts';

export type RunOptions = {
  /** The seed of the first history. */
  readonly seed: number;
  readonly seeds: number;
  readonly workers: number;
  readonly bug?: PlantedBug | undefined;
  /** The service of AWS that fails for hours in each history. By default, the seeds decide. */
  readonly outage?: AwsService | undefined;
  /** Whether to start no history after the first failure. */
  readonly stopAtFailure?: boolean;
  /** Receives the number of finished histories. */
  readonly onProgress?: (done: number) => void;
};

export type RunResult = {
  readonly done: number;
  /** How often each kind happened, with 0 for kinds that never happened. */
  readonly counts: ReadonlyMap<FaultKind, number>;
  /** How often each promise was checked. */
  readonly judgements: Judgements;
  /** Sorted by seed. */
  readonly failures: readonly Failure[];
};

/** The histories per job when the run does not stop at the first failure. */
const usualJobSize = 10;

/** Runs the histories of a range of seeds concurrently in threads. */
export async function runSeeds(options: RunOptions): Promise<RunResult> {
  const { seed: first, seeds, workers, stopAtFailure = false, onProgress = () => undefined } = options;
  const jobSize = stopAtFailure ? 1 : usualJobSize;
  const counts = new Map<FaultKind, number>(faultKinds.map((kind) => [kind, 0]));
  const tally = createTally();
  const failures: Failure[] = [];
  const end = first + seeds;
  let next = first;
  let done = 0;

  function takeJob(): Job | undefined {
    if (next >= end || (stopAtFailure && failures.length > 0)) return undefined;
    const from = next;
    next = Math.min(next + jobSize, end);
    return { from, to: next - 1, outage: options.outage };
  }

  function add(result: JobResult): void {
    done += result.done;
    failures.push(...result.failures);
    for (const [kind, count] of result.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
    tally.add(result.judgements);
    onProgress(done);
  }

  const workerData: ThreadInput = { bug: options.bug };
  const threads = startThreads<Job, JobResult>({
    url: new URL('worker.ts', import.meta.url),
    workerData,
    workers: Math.min(workers, Math.ceil(seeds / jobSize)),
  });
  try {
    await threads.run(takeJob, add);
  } finally {
    await threads.end();
  }
  return {
    done,
    counts,
    judgements: tally.judgements(),
    failures: failures.toSorted((one, other) => one.options.seed - other.options.seed),
  };
}
