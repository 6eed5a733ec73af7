/** An exponential back-off: the first pause, and the longest one. In milliseconds. */
export type BackOff = { readonly firstMs: number; readonly maxMs: number };

/**
 * In milliseconds: the pause of a retry, without jitter. Each pause is twice the one before.
 *
 * @param retries how many retries came before
 */
export function pauseMs({ firstMs, maxMs }: BackOff, retries: number): number {
  return Math.min(firstMs * 2 ** retries, maxMs);
}

/** Lets at most one retry go out for every ten calls, so that a platform that is down is not called much more than ever. */
export type RetryBudget = {
  readonly addCall: () => void;
  /** Whether one more retry may go out; takes it from the budget. */
  readonly take: () => boolean;
  /** A call succeeded: its connection is kept alive, and may have gone stale when it is used again. */
  readonly addConnection: () => void;
  /** Whether a call may go out again because its connection was stale; not more often than connections were kept. */
  readonly takeConnection: () => boolean;
};

/** The calls that earn one retry, and the most retries that quiet times can save up. */
const callsPerRetry = 10;
const maxSavedRetries = 10;

/** Connections that can go stale together. */
const maxConnections = 10;

export function createRetryBudget(): RetryBudget {
  // Whole calls, since tenths do not add up to one. The very first call may be tried again, too.
  let unspent = callsPerRetry - 1;
  let connections = 0;
  return {
    addCall: () => {
      unspent = Math.min(maxSavedRetries * callsPerRetry, unspent + 1);
    },
    take: () => {
      if (unspent < callsPerRetry) return false;
      unspent -= callsPerRetry;
      return true;
    },
    addConnection: () => {
      connections = Math.min(maxConnections, connections + 1);
    },
    takeConnection: () => {
      if (connections === 0) return false;
      connections -= 1;
      return true;
    },
  };
}
