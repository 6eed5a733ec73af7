import { Worker } from 'node:worker_threads';

export type ThreadsOptions = {
  /** The module that each thread runs. The module answers each job with a result. */
  readonly url: URL;
  /** The input of each thread at its start. */
  readonly workerData: object;
  readonly workers: number;
};

export type Threads<Job, Result> = {
  /** Runs jobs concurrently until `takeJob` returns none. @throws the error of a thread */
  readonly run: (takeJob: () => Job | undefined, onResult: (result: Result) => void) => Promise<void>;
  readonly end: () => Promise<void>;
};

/** Histories allocate many short-lived objects. A large young generation is collected less often. */
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
      reject(new Error(`A thread failed at the job ${JSON.stringify(job)}: run only its histories.`, { cause }));
    worker.once('error', onError);
    worker.once('message', (result: Result) => {
      worker.off('error', onError);
      resolve(result);
    });
    worker.postMessage(job);
  });
}
