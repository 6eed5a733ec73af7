import { Worker } from 'node:worker_threads';

export type ThreadsOptions = {
  /** Of the module that each thread runs: it answers each job with a result. */
  readonly url: URL;
  /** What each is given when it starts. */
  readonly workerData: object;
  readonly workers: number;
};

export type Threads<Job, Result> = {
  /** Has jobs done side by side, until there are none. @throws what a thread throws */
  readonly run: (takeJob: () => Job | undefined, onResult: (result: Result) => void) => Promise<void>;
  readonly end: () => Promise<void>;
};

/** Histories make much that is soon forgotten: so it is collected less often. */
const resourceLimits = { maxYoungGenerationSizeMb: 128 };

export function startThreads<Job, Result>({ url, workerData, workers }: ThreadsOptions): Threads<Job, Result> {
  const all = Array.from({ length: workers }, () => new Worker(url, { workerData, execArgv: [], resourceLimits }));

  return {
    run: async (takeJob, onResult) => {
      const work = async (worker: Worker) => {
        for (let job = takeJob(); job !== undefined; job = takeJob()) onResult(await ask<Job, Result>(worker, job));
      };
      await Promise.all(all.map(work));
    },
    end: async () => {
      await Promise.all(all.map((worker) => worker.terminate()));
    },
  };
}

function ask<Job, Result>(worker: Worker, job: Job): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onError = (cause: unknown) =>
      reject(new Error(`A thread ended at ${JSON.stringify(job)}: run these by themselves.`, { cause }));
    worker.once('error', onError);
    worker.once('message', (result: Result) => {
      worker.off('error', onError);
      resolve(result);
    });
    worker.postMessage(job);
  });
}
