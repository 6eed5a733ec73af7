import { Worker } from 'node:worker_threads';

export type ThreadsOptions = {
  /** Of the module that each thread runs: it answers each job with a result. */
  readonly url: URL;
  /** What each is given when it starts. */
  readonly workerData: object;
  readonly workers: number;
  /** How many jobs a thread does before another takes its place. */
  readonly mostJobs: number;
};

export type Threads<Job, Result> = {
  /** Has jobs done side by side, until there are none. @throws what a thread throws */
  readonly run: (takeJob: () => Job | undefined, onResult: (result: Result) => void) => Promise<void>;
  readonly end: () => Promise<void>;
};

/** Histories make much that is soon forgotten: so it is collected less often. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 };

/**
 * A thread is replaced in time: what a history leaves under way (a signal that never aborts, since its process died) Node
 * keeps for as long as the thread lives.
 */
export function startThreads<Job, Result>(options: ThreadsOptions): Threads<Job, Result> {
  const { url, workerData, workers, mostJobs } = options;
  const start = () => ({ worker: new Worker(url, { workerData, execArgv: [], resourceLimits }), jobs: 0 });
  const all = Array.from({ length: workers }, start);

  async function doJob(index: number, job: Job): Promise<Result> {
    let thread = all[index] ?? start();
    if (thread.jobs >= mostJobs) {
      await thread.worker.terminate();
      thread = start();
    }
    all[index] = { ...thread, jobs: thread.jobs + 1 };
    return ask<Job, Result>(thread.worker, job);
  }

  return {
    run: async (takeJob, onResult) => {
      const work = async (index: number) => {
        for (let job = takeJob(); job !== undefined; job = takeJob()) onResult(await doJob(index, job));
      };
      await Promise.all(all.keys().map(work));
    },
    end: async () => {
      await Promise.all(all.map(({ worker }) => worker.terminate()));
    },
  };
}

function ask<Job, Result>(worker: Worker, job: Job): Promise<Result> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (result: Result) => {
      worker.off('error', reject);
      resolve(result);
    });
    worker.postMessage(job);
  });
}
