import { type BackOff, pauseMs } from './back-off.ts';
import { type PlatformError, PlatformNetworkError } from './errors.ts';
import { PlatformHttpError } from './http-error.ts';

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
