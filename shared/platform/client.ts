import type * as z from 'zod/mini';
import {
  PlatformAnswerTooLargeError,
  PlatformError,
  PlatformHttpError,
  PlatformNetworkError,
  PlatformTimeoutError,
  PlatformTokenError,
} from './errors.ts';
import { AnswerTooLargeError, type PlatformFetch } from './fetch.ts';
import { type HttpAnswer, isSuccess, readBody, readHttpAnswer, toHttpError } from './http-answer.ts';
import { isLocal } from './local-host.ts';
import { type Message, toMessage } from './message.ts';
import type { PlatformProfile } from './profile.ts';
import { createRetryBudget } from './retry-budget.ts';
import type { TokenSource } from './token.ts';

export type PlatformClientDeps = {
  /** {base_url}, without a slash at its end. */
  readonly baseUrl: string;
  readonly profile: PlatformProfile;
  readonly tokens: TokenSource;
  readonly fetch: PlatformFetch;
  readonly now: () => Date;
  /** From 0 to 1: for the jitter of retries. */
  readonly random: () => number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted before. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** A signal that aborts after so many milliseconds: `AbortSignal.timeout`. */
  readonly timeout: (milliseconds: number) => AbortSignal;
};

/** What every call takes besides what it is about. */
export type CallOptions = {
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds: how long the call may take with all its attempts. That of the profile unless given. */
  readonly deadline?: number | undefined;
  /** Whether it is not sent again where it fails: for a caller that paces its own attempts. */
  readonly isSentOnce?: boolean | undefined;
};

export type PlatformRequest = {
  /** As section 4 calls it: names the call in errors. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below {base_url}; variables already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  /** The natural person on whose behalf it is (section 5, Requestor-ID header). */
  readonly requestorId?: string;
  /** Checked already: goes out as JSON. */
  readonly body?: unknown;
  /** The media type that the answer should have; JSON unless given. */
  readonly accept?: string;
  /** Whether doing it twice does no more than doing it once. GET and DELETE are, unless said otherwise. */
  readonly isIdempotent?: boolean;
  /** Whether Not Found can mean that an INVALID record was purged (section 3.3). */
  readonly mayBePurged?: boolean;
};

export type PlatformClient = {
  readonly profile: PlatformProfile;
  /** Whether the platform runs on this very machine, as the sandbox's does: it then delivers to plain HTTP as well. */
  readonly isLocal: boolean;
  /**
   * Makes any call, and reads its answer's JSON. For operations that the specification does not show.
   *
   * @throws {PlatformError} and nothing else, but for the reason of `options.signal`
   */
  readonly request: <Schema extends z.ZodMiniType>(
    schema: Schema,
    request: PlatformRequest,
    options?: CallOptions,
  ) => Promise<z.output<Schema>>;
  /** Makes any call, and gives its answer as it came: for documents, and where there is no body to speak of. */
  readonly send: (request: PlatformRequest, options?: CallOptions) => Promise<HttpAnswer>;
};

/** Retries of one call at the most, and the milliseconds within which the first of them comes. */
const mostRetries = 4;
const firstBackoff = 250;
const longestBackoff = 8_000;

/** The client of section 4, without its operations: tokens, deadlines, retries and errors. */
export function createPlatformClient(deps: PlatformClientDeps): PlatformClient {
  const { profile, tokens, now, random, wait } = deps;
  const budget = createRetryBudget();

  async function request<Schema extends z.ZodMiniType>(schema: Schema, call: PlatformRequest, options?: CallOptions) {
    return readBody(schema, call.operation, await send(call, options));
  }

  async function send(call: PlatformRequest, options: CallOptions = {}) {
    const { signal, deadline = profile.deadlines.call, isSentOnce = false } = options;
    const { operation, method, isIdempotent = method === 'GET' || method === 'DELETE' } = call;
    signal?.throwIfAborted();
    const message = toMessage(deps.baseUrl, call);
    const endsAt = now().getTime() + deadline;
    const left = () => endsAt - now().getTime();
    const patience = { signal, ended: deps.timeout(timer(deadline)) };
    budget.addCall();
    let token = await readToken(operation, patience);
    let hasReread = false;
    let hasResent = false;
    for (let retries = 0; ; ) {
      const limit = timer(Math.min(profile.deadlines.attempt, left()));
      if (limit === 0) throw new PlatformTimeoutError(operation, deadline);
      const answer = await attempt(deps, call, { message, token, limit, signal });
      if (!(answer instanceof PlatformError)) {
        budget.addConnection();
        return answer;
      }
      if (isUnauthorized(answer)) {
        const fresh = hasReread ? token : await rereadToken(operation, token, patience);
        if (fresh === token) {
          await report(token, patience);
          throw answer;
        }
        hasReread = true;
        token = fresh;
        continue;
      }
      if (!isIdempotent || isSentOnce) throw answer;
      if (!hasResent && isStaleSocket(answer) && budget.takeConnection()) {
        hasResent = true;
        continue;
      }
      const pause = pauseAfter(answer, retries, random);
      if (!answer.isRetryable || retries >= mostRetries || pause >= left() || !budget.take()) throw answer;
      await pauseFor(pause, signal);
      retries += 1;
      // The one before may have expired by now.
      token = await readToken(operation, patience);
    }
  }

  /** However the signal ended it, the caller gets the signal's reason. */
  async function pauseFor(pause: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      await wait(pause, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  async function readToken(operation: string, patience: Patience, fresh = false): Promise<string> {
    const token = await atMost(patience, () => tokens.read({ fresh })).catch((cause: unknown) => {
      patience.signal?.throwIfAborted();
      throw new PlatformTokenError(operation, { cause });
    });
    // Node's error for a header that cannot be sent quotes it.
    if (!/^[\x21-\x7e]+$/.test(token)) throw new PlatformTokenError(operation);
    return token;
  }

  /** The token that is stored now; the rejected one where there is no other. */
  function rereadToken(operation: string, rejected: string, patience: Patience): Promise<string> {
    return readToken(operation, patience, true).catch(() => {
      patience.signal?.throwIfAborted();
      return rejected;
    });
  }

  /** Whoever keeps the token fresh must know; whoever made the call learns of the 401 either way. */
  async function report(token: string, patience: Patience): Promise<void> {
    await atMost(patience, () => tokens.reportRejected(token)).catch(() => undefined);
  }

  return { profile, isLocal: isLocal(deps.baseUrl), request, send };
}

/** The longest that a timer of Node can be set to, and whole milliseconds, as it takes them. */
function timer(milliseconds: number): number {
  return Math.trunc(Math.min(Math.max(milliseconds, 0), 2 ** 31 - 1)) || 0;
}

/** What ends a call from outside: its caller, or its deadline. */
type Patience = { readonly signal: AbortSignal | undefined; readonly ended: AbortSignal };

/** Does it, and waits for it no longer than the patience lasts. @throws the reason of the signal that ended it */
async function atMost<Value>({ signal, ended }: Patience, work: () => Promise<Value>): Promise<Value> {
  const either = signal === undefined ? ended : AbortSignal.any([signal, ended]);
  const { promise: end, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(either.reason);
  try {
    const result = work();
    either.addEventListener('abort', giveUp, { once: true });
    if (either.aborted) giveUp();
    return await Promise.race([result, end]);
  } finally {
    either.removeEventListener('abort', giveUp);
  }
}

type Attempt = {
  readonly message: Message;
  readonly token: string;
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
};

/** One attempt: the answer, or why there is none, as an error. @throws the reason of the caller's signal */
async function attempt(
  { fetch: send, now, timeout }: PlatformClientDeps,
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

function isUnauthorized(error: PlatformError): boolean {
  return error instanceof PlatformHttpError && error.status === 401;
}

/** A connection kept alive that the other side had closed, as after a Lambda function was frozen. */
const staleCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

function isStaleSocket(error: PlatformError): boolean {
  if (!(error instanceof PlatformNetworkError)) return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && staleCodes.has(cause.code);
}

/** In milliseconds: what Retry-After says, as it is; otherwise full jitter over an exponential backoff. */
function pauseAfter(error: PlatformError, retries: number, random: () => number): number {
  if (error instanceof PlatformHttpError && error.retryAfter !== undefined) return error.retryAfter;
  return random() * Math.min(longestBackoff, firstBackoff * 2 ** retries);
}
