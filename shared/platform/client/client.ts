import type * as z from 'zod/mini';
import { isLocal, pathBelowBase, requestorId as requestor } from '#shared/platform/fields/fields.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import type { TokenSource } from '#shared/platform/token/token.ts';
import { type CallOptions, checkInput, type PlatformRequest } from './check-input.ts';
import {
  PlatformAnswerTooLargeError,
  PlatformError,
  PlatformHttpError,
  PlatformInputError,
  PlatformNetworkError,
  PlatformTimeoutError,
  PlatformTokenError,
} from './errors.ts';
import {
  AnswerTooLargeError,
  isSuccess,
  type PlatformAnswer,
  type PlatformFetch,
  raceAbort,
  readBody,
  readPlatformAnswer,
} from './http.ts';
import { toHttpError } from './read-http-error.ts';
import { type BackOff, createRetryBudget, pauseMs } from './retry-policy.ts';

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

/** One attempt: the answer, or an error that says why there is none. @throws the reason of the caller's signal */
export async function attempt(
  { fetch: send, now, timeout }: AttemptDeps,
  { operation, method, mayBePurged }: PlatformRequest,
  { message: { url, headers, body }, token, limit, signal }: Attempt,
): Promise<PlatformAnswer | PlatformError> {
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
    const answer = await readPlatformAnswer(response);
    return isSuccess(answer) ? answer : toHttpError(operation, answer, { mayBePurged, now: now() });
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof AnswerTooLargeError) return new PlatformAnswerTooLargeError(operation, cause.limit);
    if (tooLate.aborted) return new PlatformTimeoutError(operation, limit);
    return new PlatformNetworkError(operation, { cause });
  }
}

/** The request that is sent, without its token. */
export type Message = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/** @throws {PlatformInputError} if it cannot be sent */
export function toMessage(baseUrl: string, call: PlatformRequest): Message {
  const { operation, requestorId, accept = 'application/json' } = call;
  if (requestorId !== undefined) checkInput(requestor, requestorId, { operation, section: '5', field: 'Requestor-ID' });
  checkInput(pathBelowBase, call.path, { operation, section: '4', field: 'path' });
  const body = writeBody(call);
  const headers = {
    accept,
    ...(requestorId !== undefined && { 'requestor-id': requestorId }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  return { url: urlOf(baseUrl, call), headers, body };
}

function writeBody({ operation, body }: PlatformRequest): string | undefined {
  if (body === undefined) return undefined;
  try {
    return JSON.stringify(body);
  } catch {
    throw new PlatformInputError(operation, ['the body: must be what JSON can write']);
  }
}

function urlOf(baseUrl: string, { path, query = {} }: PlatformRequest): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return parameters.size === 0 ? `${baseUrl}${path}` : `${baseUrl}${path}?${parameters}`;
}

export type PlatformClientDeps = AttemptDeps & {
  /** {base_url}, without a slash at its end. */
  readonly baseUrl: string;
  readonly profile: PlatformProfile;
  readonly tokens: TokenSource;
  /** From 0 to 1: for the jitter of retries. */
  readonly random: () => number;
  /** How often each call is repeated at most, whatever other calls do. Without it, one call in ten is repeated. */
  readonly retry?: number | undefined;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted before. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Gets the error of each attempt, also of one that is retried; but not of one that is sent again at once on another connection. */
  readonly onFailure?: (error: PlatformError) => void;
};

export type PlatformClient = {
  readonly profile: PlatformProfile;
  /** Whether the platform runs on this very machine, as the sandbox's does: it then delivers to plain HTTP as well. */
  readonly isLocal: boolean;
  /**
   * Makes any call, and reads its answer's JSON. For operations that the specification does not show.
   *
   * @throws {PlatformError} and nothing else, except the reason of `options.signal`
   */
  readonly request: <Schema extends z.ZodMiniType>(
    schema: Schema,
    request: PlatformRequest,
    options?: CallOptions,
  ) => Promise<z.output<Schema>>;
  /** Makes any call, and gives its answer as it came: for documents, and for answers without a body. */
  readonly send: (request: PlatformRequest, options?: CallOptions) => Promise<PlatformAnswer>;
  /** Aborts when a call that begins now must be over: for several calls that share its time. */
  readonly ended: (options?: CallOptions) => AbortSignal;
};

/** Retries of one call at the most. The retry budget of the client may end them earlier. */
const maxRetries = 4;

const backOff: BackOff = { firstMs: 250, maxMs: 8_000 };

/** The client of section 4, without its operations: tokens, deadlines, retries and errors. */
export function createPlatformClient(deps: PlatformClientDeps): PlatformClient {
  const { profile, tokens, now, random, wait } = deps;
  const budget = createRetryBudget();

  function deadlineOf({ timeoutMs, deadline }: CallOptions): number {
    return timeoutMs ?? deadline ?? profile.deadlines.call;
  }

  function ended(options: CallOptions = {}): AbortSignal {
    return deps.timeout(timer(deadlineOf(options)));
  }

  async function request<Schema extends z.ZodMiniType>(schema: Schema, call: PlatformRequest, options?: CallOptions) {
    // Of JavaScript, or of zod 3: the answer would be lost after the platform has done it.
    if (!isSchema(schema))
      throw new PlatformInputError(call.operation, ['the schema: must be one of zod 4, such as z.looseObject({})']);
    return readBody(schema, call.operation, await send(call, options));
  }

  async function send(call: PlatformRequest, options: CallOptions = {}) {
    const { signal, isSentOnce = false, retry = deps.retry } = options;
    const deadline = deadlineOf(options);
    const mostRetries = retry === undefined ? maxRetries : Math.trunc(Math.min(Math.max(retry, 0), 10)) || 0;
    const { operation, method, isIdempotent = method === 'GET' || method === 'DELETE' } = call;
    signal?.throwIfAborted();
    const message = toMessage(deps.baseUrl, call);
    const endsAt = now().getTime() + deadline;
    const left = () => endsAt - now().getTime();
    const signals = { signal, ended: ended(options) };
    budget.addCall();
    let token = await readToken(operation, signals);
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
      const isRepeatable = isIdempotent && !isSentOnce;
      // Before onFailure: the platform did not fail if only the connection was stale.
      if (isRepeatable && !hasResent && isStaleSocket(answer) && budget.takeConnection()) {
        hasResent = true;
        continue;
      }
      deps.onFailure?.(answer);
      if (isUnauthorized(answer)) {
        const fresh = hasReread ? token : await rereadToken(operation, token, signals);
        if (fresh === token) {
          await report(token, signals);
          throw answer;
        }
        hasReread = true;
        token = fresh;
        continue;
      }
      if (!isRepeatable) throw answer;
      const pause = pauseAfter(answer, retries, random);
      if (!answer.isRetryable || retries >= mostRetries || pause >= left()) throw answer;
      if (retry === undefined && !budget.take()) throw answer;
      await pauseFor(pause, signal);
      retries += 1;
      // The one before may have expired by now.
      token = await readToken(operation, signals);
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

  async function readToken(operation: string, signals: CallSignals, rejected?: string): Promise<string> {
    const fresh = rejected !== undefined;
    const token = await atMost(signals, () => tokens.read({ fresh, rejected })).catch((cause: unknown) => {
      signals.signal?.throwIfAborted();
      throw new PlatformTokenError(operation, { cause });
    });
    // Node's error for a header that cannot be sent quotes it.
    if (!/^[\x21-\x7e]+$/.test(token)) throw new PlatformTokenError(operation);
    return token;
  }

  /** The token that is stored now; the rejected one if there is no other. */
  function rereadToken(operation: string, rejected: string, signals: CallSignals): Promise<string> {
    return readToken(operation, signals, rejected).catch(() => {
      signals.signal?.throwIfAborted();
      return rejected;
    });
  }

  /** The token refresher must know; the caller gets the 401 either way. */
  async function report(token: string, signals: CallSignals): Promise<void> {
    await atMost(signals, () => tokens.reportRejected(token)).catch(() => undefined);
  }

  return { profile, isLocal: isLocal(deps.baseUrl), request, send, ended };
}

/** In milliseconds: what Retry-After says, as it is; otherwise full jitter over an exponential back-off. */
function pauseAfter(error: PlatformError, retries: number, random: () => number): number {
  if (error instanceof PlatformHttpError && error.retryAfter !== undefined) return error.retryAfter;
  return random() * pauseMs(backOff, retries);
}

/** A connection kept alive that the other side had closed, as after a Lambda function was frozen. */
const staleCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

/** Whether the call failed because its connection was stale: the call may be sent again immediately. */
function isStaleSocket(error: PlatformError): boolean {
  if (!(error instanceof PlatformNetworkError)) return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && staleCodes.has(cause.code);
}

/** The longest that a timer of Node can be set to, and whole milliseconds, as it takes them. */
function timer(milliseconds: number): number {
  return Math.trunc(Math.min(Math.max(milliseconds, 0), 2 ** 31 - 1)) || 0;
}

/** What ends a call from outside: its caller, or its deadline. */
type CallSignals = { readonly signal: AbortSignal | undefined; readonly ended: AbortSignal };

/** @throws the reason of the signal that ended it */
function atMost<Value>({ signal, ended }: CallSignals, work: () => Promise<Value>): Promise<Value> {
  return raceAbort(signal === undefined ? ended : AbortSignal.any([signal, ended]), work);
}

function isSchema(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && '_zod' in schema;
}

function isUnauthorized(error: PlatformError): boolean {
  return error instanceof PlatformHttpError && error.status === 401;
}
