import { type BackOff, pauseMs } from './back-off.ts';
import { type PlatformError, PlatformHttpError, PlatformNetworkError } from './errors.ts';

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

/** Retries of one call at the most. The retry budget of the client may end them earlier. */
export const maxRetries = 4;

const backOff: BackOff = { firstMs: 250, maxMs: 8_000 };

/** In milliseconds: what Retry-After says, as it is; otherwise full jitter over an exponential back-off. */
export function pauseAfter(error: PlatformError, retries: number, random: () => number): number {
  if (error instanceof PlatformHttpError && error.retryAfter !== undefined) return error.retryAfter;
  return random() * pauseMs(backOff, retries);
}

/** A connection kept alive that the other side had closed, as after a Lambda function was frozen. */
const staleCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

/** Whether the call failed because its connection was stale: the call may be sent again immediately. */
export function isStaleSocket(error: PlatformError): boolean {
  if (!(error instanceof PlatformNetworkError)) return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && staleCodes.has(cause.code);
}
