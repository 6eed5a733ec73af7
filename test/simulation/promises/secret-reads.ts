import type { BrokenPromise } from './promise.ts';

/** In milliseconds: how long a process of receive must wait after a failed read of the webhook secret. */
const pauseMs = 5_000;

/** In milliseconds: how long after a failed read a process can use its cache. A webhook takes at most a minute to be answered. */
const outageMs = pauseMs + 60_000;

export type SecretReadWatch = {
  /** Checks a read that a process begins. */
  readonly begin: (process: object) => BrokenPromise | undefined;
  readonly failed: (process: object) => void;
  /** Whether a process can use its cache instead of what Secrets Manager would give. */
  readonly isOutage: () => boolean;
};

/** Promise 9: while Secrets Manager fails, a process of receive reads the webhook secret once in five seconds. */
export function createSecretReadWatch(now: () => number): SecretReadWatch {
  const failures = new WeakMap<object, number>();
  let lastFailure = Number.NEGATIVE_INFINITY;
  return {
    begin: (process) => {
      if (now() - (failures.get(process) ?? Number.NEGATIVE_INFINITY) >= pauseMs) return undefined;
      return { promise: 9, what: 'A process of receive repeats a failed read of the webhook secret within 5 seconds.' };
    },
    failed: (process) => {
      lastFailure = now();
      failures.set(process, lastFailure);
    },
    isOutage: () => now() - lastFailure < outageMs,
  };
}
