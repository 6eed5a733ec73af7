import { enableCompileCache, flushCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { type PlantedBug, plant } from './bugs/planted-bug.ts';
import { installPlainSignals } from './scheduler/plain-signals.ts';
import { installPlainHttp } from './system/plain-http.ts';
import { installStoredBodies } from './system/stored-bodies.ts';

/** What each thread of histories is given. */
export type ThreadInput = { readonly bug: PlantedBug | undefined };

/**
 * Makes a thread one that runs histories quickly; with a bug planted, where it is given one. To be called before the product
 * is loaded, so that it is loaded with the bug in it.
 */
export function prepareThread({ bug }: ThreadInput): void {
  if (bug !== undefined) plant(bug);
  installStoredBodies();
  installPlainHttp();
  installPlainSignals();
  // Most errors are what a history is about, and nobody reads where they come from.
  Error.stackTraceLimit = 0;
  // Each planted bug has a thread of its own: most of what they load is the same.
  enableCompileCache();
  // A bug may leave a promise to itself. The product must not, since Lambda ends a process in which one fails: there, it
  // ends the run.
  if (bug !== undefined) process.on('unhandledRejection', () => undefined);
}

/** Answers each job of `startThreads` with its result; to be called once everything is loaded. */
export function answerJobs<Job, Result>(run: (job: Job) => Promise<Result>): void {
  flushCompileCache();
  parentPort?.on('message', (job: Job) => {
    void run(job).then((result) => parentPort?.postMessage(result));
  });
}
