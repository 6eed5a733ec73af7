import {
  PlatformAnswerTooLargeError,
  type PlatformError,
  PlatformNetworkError,
  PlatformTimeoutError,
} from './errors.ts';
import { AnswerTooLargeError, type PlatformFetch } from './fetch.ts';
import { type HttpAnswer, isSuccess, readHttpAnswer } from './http-answer.ts';
import type { Message } from './message.ts';
import type { PlatformRequest } from './platform-request.ts';
import { toHttpError } from './read-http-error.ts';

export type AttemptDeps = {
  readonly fetch: PlatformFetch;
  readonly now: () => Date;
  /** A signal that aborts after so many milliseconds: `AbortSignal.timeout`. */
  readonly timeout: (milliseconds: number) => AbortSignal;
};

export type Attempt = {
  readonly message: Message;
  readonly token: string;
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
};

/** One attempt: the answer, or why there is none, as an error. @throws the reason of the caller's signal */
export async function attempt(
  { fetch: send, now, timeout }: AttemptDeps,
  { operation, method, mayBePurged }: PlatformRequest,
  { message: { url, headers, body }, token, limit, signal }: Attempt,
): Promise<HttpAnswer | PlatformError> {
  signal?.throwIfAborted();
  const tooLate = timeout(limit);
  try {
    const response = await send(url, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: signal === undefined ? tooLate : AbortSignal.any([signal, tooLate]),
      ...(body !== undefined && { body }),
    });
    const answer = await readHttpAnswer(response);
    return isSuccess(answer) ? answer : toHttpError(operation, answer, { mayBePurged, now: now() });
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof AnswerTooLargeError) return new PlatformAnswerTooLargeError(operation, cause.limit);
    if (tooLate.aborted) return new PlatformTimeoutError(operation, limit);
    return new PlatformNetworkError(operation, { cause });
  }
}
