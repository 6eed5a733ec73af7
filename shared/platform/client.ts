import type * as z from 'zod/mini';
import { checkInput } from './check-input.ts';
import {
  fieldsOf,
  PlatformError,
  PlatformHttpError,
  PlatformNetworkError,
  PlatformSchemaError,
  PlatformTimeoutError,
  PlatformTokenError,
} from './errors.ts';
import { uuid } from './fields.ts';
import { type HttpAnswer, isSuccess, parseBody, readHttpAnswer, toHttpError } from './http-answer.ts';
import type { PlatformProfile } from './profile.ts';
import { createRetryBudget } from './retry-budget.ts';
import type { TokenSource } from './token.ts';

export type PlatformClientDeps = {
  /** {base_url}, without a slash at its end. */
  readonly baseUrl: string;
  readonly profile: PlatformProfile;
  readonly tokens: TokenSource;
  readonly fetch: typeof fetch;
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
};

export type PlatformRequest = {
  /** As section 4 calls it: names the call in errors. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below {base_url}; variables already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** The natural person on whose behalf it is (section 5, Requestor-ID header). */
  readonly requestorId?: string;
  /** Checked already: goes out as JSON. */
  readonly body?: unknown;
  /** Whether doing it twice does no more than doing it once. GET and DELETE are, unless said otherwise. */
  readonly isIdempotent?: boolean;
  /** Whether Not Found can mean that an INVALID record was purged (section 3.3). */
  readonly mayBePurged?: boolean;
};

export type PlatformClient = {
  readonly profile: PlatformProfile;
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
    const answer = await send(call, options);
    const result = schema.safeParse(parseBody(answer));
    if (!result.success) throw new PlatformSchemaError(call.operation, fieldsOf(result.error));
    return result.data;
  }

  async function send(call: PlatformRequest, { signal, deadline = profile.deadlines.call }: CallOptions = {}) {
    const { operation, requestorId, method, isIdempotent = method === 'GET' || method === 'DELETE' } = call;
    if (requestorId !== undefined)
      checkInput(uuid, requestorId, { operation: `${operation}, Requestor-ID`, section: '5' });
    const endsAt = now().getTime() + deadline;
    const left = () => endsAt - now().getTime();
    budget.addCall();
    let token = await readToken(operation, false);
    let hasReread = false;
    let hasResent = false;
    for (let retries = 0; ; ) {
      const answer = await attempt(deps, call, { token, limit: Math.min(profile.deadlines.attempt, left()), signal });
      if (!(answer instanceof PlatformError)) return answer;
      if (isUnauthorized(answer)) {
        const fresh = hasReread ? token : await readToken(operation, true);
        if (fresh === token) {
          await report(token);
          throw answer;
        }
        hasReread = true;
        token = fresh;
      } else if (isIdempotent && isStaleSocket(answer) && !hasResent) {
        hasResent = true;
      } else {
        if (!isIdempotent || !answer.isRetryable || retries >= mostRetries) throw answer;
        const pause = pauseAfter(answer, retries, random);
        if (pause >= left() || !budget.take()) throw answer;
        await wait(pause, signal);
        retries += 1;
      }
    }
  }

  async function readToken(operation: string, fresh: boolean): Promise<string> {
    const token = await tokens.read({ fresh }).catch((cause: unknown) => {
      throw new PlatformTokenError(operation, { cause });
    });
    // Node's error for a header that cannot be sent quotes it.
    if (!/^[\x21-\x7e]+$/.test(token)) throw new PlatformTokenError(operation);
    return token;
  }

  /** Whoever keeps the token fresh must know; whoever made the call learns of the 401 either way. */
  async function report(token: string): Promise<void> {
    await tokens.reportRejected(token).catch(() => undefined);
  }

  return { profile, request, send };
}

type Attempt = { readonly token: string; readonly limit: number; readonly signal: AbortSignal | undefined };

/** One attempt: the answer, or why there is none, as an error. @throws the reason of the caller's signal */
async function attempt(
  { baseUrl, fetch: send, now, timeout }: PlatformClientDeps,
  call: PlatformRequest,
  { token, limit, signal }: Attempt,
): Promise<HttpAnswer | PlatformError> {
  signal?.throwIfAborted();
  if (limit <= 0) return new PlatformTimeoutError(call.operation, 0);
  const tooLate = timeout(limit);
  try {
    const response = await send(urlOf(baseUrl, call), {
      method: call.method,
      headers: headersOf(call, token),
      redirect: 'manual',
      signal: signal === undefined ? tooLate : AbortSignal.any([signal, tooLate]),
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    });
    const answer = await readHttpAnswer(response);
    if (isSuccess(answer)) return answer;
    return toHttpError(call.operation, answer, { mayBePurged: call.mayBePurged ?? false, now: now() });
  } catch (cause) {
    signal?.throwIfAborted();
    if (tooLate.aborted) return new PlatformTimeoutError(call.operation, limit);
    return new PlatformNetworkError(call.operation, { cause });
  }
}

function urlOf(baseUrl: string, { path, query = {} }: PlatformRequest): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return parameters.size === 0 ? `${baseUrl}${path}` : `${baseUrl}${path}?${parameters}`;
}

function headersOf({ requestorId, body }: PlatformRequest, token: string): Record<string, string> {
  return {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    ...(requestorId !== undefined && { 'requestor-id': requestorId }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
}

function isUnauthorized(error: PlatformError): boolean {
  return error instanceof PlatformHttpError && error.status === 401;
}

/** A connection kept alive that the other side had closed, as after a Lambda function was frozen. */
const staleCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

function isStaleSocket(error: PlatformError): boolean {
  if (!(error instanceof PlatformNetworkError) || !(error.cause instanceof Error)) return false;
  const { cause } = error.cause;
  return cause instanceof Error && 'code' in cause && staleCodes.has(cause.code);
}

/** In milliseconds: what Retry-After says, as it is; otherwise full jitter over an exponential backoff. */
function pauseAfter(error: PlatformError, retries: number, random: () => number): number {
  if (error instanceof PlatformHttpError && error.retryAfter !== undefined) return error.retryAfter;
  return random() * Math.min(longestBackoff, firstBackoff * 2 ** retries);
}
