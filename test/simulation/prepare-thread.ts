import { enableCompileCache, flushCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { type PlantedBug, plant } from './bugs/planted-bug.ts';
import { installPlainSignals } from './scheduler/plain-signals.ts';
import { installPlainHttp } from './system/plain-http.ts';
import { installStoredBodies } from './system/stored-bodies.ts';

/** The input of each thread that runs histories. */
export type ThreadInput = { readonly bug: PlantedBug | undefined };

/**
 * Replaces slow parts of Node in this thread, and plants the bug if there is one. Call this function before the product is
 * loaded, so that the loaded product contains the bug.
 */
export function prepareThread({ bug }: ThreadInput): void {
  if (bug !== undefined) plant(bug);
  installStoredBodies();
  installPlainHttp();
  installPlainSignals();
  // Most errors are injected faults, whose stack is never read.
  Error.stackTraceLimit = 0;
  // Each planted bug has a thread of its own, and the threads load mostly the same modules.
  enableCompileCache();
  // A planted bug can leave a rejected promise unhandled. The product must not: without a bug, such a rejection ends the run,
  // as Lambda ends the process.
  if (bug !== undefined) process.on('unhandledRejection', () => undefined);
}

/** Answers each job of `startThreads` with its result. Call this function after all modules are loaded. */
export function answerJobs<Job, Result>(run: (job: Job) => Promise<Result>): void {
  flushCompileCache();
  parentPort?.on('message', (job: Job) => {
    void run(job).then((result) => parentPort?.postMessage(result));
  });
}
