import { setTimeout as sleep } from 'node:timers/promises';

/** Time, chance, and where lines go: what a process gives to the handler that it builds. */
export type ProcessDeps = {
  readonly now: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted before. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** A signal that aborts after so many milliseconds. */
  readonly timeout: (milliseconds: number) => AbortSignal;
  /** Writes a line of the log, or of metrics. */
  readonly write: (line: string) => void;
};

/** As they are in Lambda. */
export const lambdaProcess: ProcessDeps = {
  now: () => new Date(),
  random: Math.random,
  wait: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
  write: (line) => void process.stdout.write(line),
};
