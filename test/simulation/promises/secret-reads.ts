import type { SimulatedProcess } from '#test/simulation/scheduler/process.ts';
import type { BrokenPromise } from './promise.ts';

/** In milliseconds: how long a process of receive must wait after a failed read of the webhook secret. */
const pauseMs = 5_000;

/** In milliseconds: how long after a failed read a process can use its cache. A webhook takes at most a minute to be answered. */
const outageMs = pauseMs + 60_000;

type WatchedProcess = Pick<SimulatedProcess, 'now'>;

/** A read that a process began. */
type SecretRead = {
  readonly command: object;
  /** By the clock of the process, which has whole milliseconds: the pause that it can measure. */
  readonly failedAt?: number;
};

export type SecretReadWatch = {
  /** Checks a read that a process begins. */
  readonly begin: (process: WatchedProcess, command: object) => BrokenPromise | undefined;
  readonly failed: (process: WatchedProcess, command: object) => void;
  /** Whether a process can use its cache instead of what Secrets Manager would give. */
  readonly isOutage: () => boolean;
};

/** Promise 9: while Secrets Manager fails, a process of receive reads the webhook secret once in five seconds. */
export function createSecretReadWatch(now: () => number): SecretReadWatch {
  /** The newest read of each process. A frozen read that fails after a newer one has begun says nothing of the newer one. */
  const newest = new WeakMap<WatchedProcess, SecretRead>();
  let lastFailure = Number.NEGATIVE_INFINITY;
  return {
    begin: (process, command) => {
      const { failedAt = Number.NEGATIVE_INFINITY } = newest.get(process) ?? {};
      newest.set(process, { command });
      if (process.now().getTime() - failedAt >= pauseMs) return undefined;
      return { promise: 9, what: 'A process of receive repeats a failed read of the webhook secret within 5 seconds.' };
    },
    failed: (process, command) => {
      lastFailure = now();
      if (newest.get(process)?.command === command) newest.set(process, { command, failedAt: process.now().getTime() });
    },
    isOutage: () => now() - lastFailure < outageMs,
  };
}
