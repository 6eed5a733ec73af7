import { AsyncLocalStorage } from 'node:async_hooks';
import type * as z from 'zod/mini';
import { runHook } from '#package/run-hook.ts';
import type { CallOptions, PlatformRequest } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import type { PlatformFetch } from '#shared/platform/client/http.ts';

/** One request that went out. It holds no token, no path, no body and no personal data. */
export type AttemptRecord = {
  /** As section 4 calls it, for example `Cancel order`. */
  readonly operation: string;
  readonly method: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Of the answer; absent if there was none. */
  readonly status?: number;
  readonly durationMs: number;
};

/** A call with all its attempts. */
export type CallRecord = {
  readonly operation: string;
  /** 0 if nothing was sent, as with an input that breaks a rule. */
  readonly attempts: number;
  readonly durationMs: number;
  /** Why it failed; absent if it succeeded. */
  readonly error?: unknown;
};

/** Functions that hear of each request and each call, to log or count them. What they throw, or reject with, is ignored. */
export type CallHooks = {
  readonly onAttempt?: ((attempt: AttemptRecord) => void) | undefined;
  readonly onCall?: ((call: CallRecord) => void) | undefined;
};

type CallUnderWay = { readonly operation: string; attempts: number };

/** Puts the hooks around a `fetch`, and around the client that uses it. */
export function createCallHooks({ onAttempt, onCall }: CallHooks, now: () => Date) {
  const underWay = new AsyncLocalStorage<CallUnderWay>();

  function wrapFetch(send: PlatformFetch): PlatformFetch {
    return async (url, request) => {
      const call = underWay.getStore();
      if (call === undefined) return send(url, request);
      call.attempts += 1;
      const { operation, attempts: attempt } = call;
      const record = { operation, method: request.method, attempt };
      const durationMs = stopwatch();
      try {
        const answer = await send(url, request);
        runHook(onAttempt, { ...record, status: answer.status, durationMs: durationMs() });
        return answer;
      } catch (error) {
        runHook(onAttempt, { ...record, durationMs: durationMs() });
        throw error;
      }
    };
  }

  async function observe<Value>(operation: string, work: () => Promise<Value>): Promise<Value> {
    const call: CallUnderWay = { operation, attempts: 0 };
    const durationMs = stopwatch();
    try {
      const value = await underWay.run(call, work);
      runHook(onCall, { ...call, durationMs: durationMs() });
      return value;
    } catch (error) {
      runHook(onCall, { ...call, durationMs: durationMs(), error });
      throw error;
    }
  }

  function stopwatch(): () => number {
    const start = now().getTime();
    return () => now().getTime() - start;
  }

  return {
    wrapFetch,
    wrapClient: (client: PlatformClient): PlatformClient => ({
      ...client,
      request: <Schema extends z.ZodMiniType>(schema: Schema, call: PlatformRequest, options?: CallOptions) =>
        observe(call.operation, () => client.request(schema, call, options)),
      send: (call, options) => observe(call.operation, () => client.send(call, options)),
    }),
  };
}
