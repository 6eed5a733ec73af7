/** A thread that runs histories one after the other, with an optional planted bug. */
import { workerData } from 'node:worker_threads';
import type { FaultKind } from './faults/fault-kinds.ts';
import type { AwsService } from './faults/long-failure.ts';
import type { HistoryOptions } from './history.ts';
import { answerJobs, prepareThread } from './prepare-thread.ts';
import type { BrokenPromise } from './promises/promise.ts';
import { createTally, type Judgements } from './promises/tally.ts';

/** A range of seeds to run, both ends included. The result is reported when all histories have ended. */
export type Job = { readonly from: number; readonly to: number; readonly outage?: AwsService | undefined };

export type JobResult = {
  readonly done: number;
  readonly counts: ReadonlyMap<FaultKind, number>;
  readonly judgements: Judgements;
  readonly failures: readonly Failure[];
};

/** A history that broke a promise, or that threw an error. */
export type Failure = {
  readonly options: HistoryOptions;
  readonly broken: BrokenPromise | undefined;
  readonly error?: string;
};

prepareThread(workerData);

// Loaded after the preparation, so that the product contains the planted bug.
const { runHistory } = await import('./history.ts');
const { createPlatformAppForAll } = await import('./system/platform-app.ts');
const app = createPlatformAppForAll();

async function run({ from, to, outage }: Job): Promise<JobResult> {
  const counts = new Map<FaultKind, number>();
  const tally = createTally();
  const failures: Failure[] = [];
  for (let seed = from; seed <= to; seed += 1) {
    const options = { seed, ...(outage && { outage }) };
    try {
      const history = await runHistory(options, { app });
      for (const [kind, count] of history.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
      tally.add(history.judgements);
      if (history.broken !== undefined) failures.push({ options, broken: history.broken });
    } catch {
      failures.push({ options, broken: undefined, error: await describe(options) });
    }
  }
  return { done: to - from + 1, counts, judgements: tally.judgements(), failures };
}

/** Runs a failing history again, and returns the error with its stack. */
async function describe(options: HistoryOptions): Promise<string> {
  Error.stackTraceLimit = 10;
  const error = await runHistory(options, { app }).catch((thrown: unknown) => thrown);
  Error.stackTraceLimit = 0;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

answerJobs(run);
