import { AsyncLocalStorage } from 'node:async_hooks';
import type * as z from 'zod/mini';
import type { CallOptions, PlatformRequest } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { type PlatformError, PlatformHttpError, PlatformNetworkError } from '#shared/platform/client/errors.ts';
import type { PlatformFetch } from '#shared/platform/client/http.ts';
import { isOutcomeUnknown } from '#shared/platform/resources/create-natural-person.ts';

type CallUnderWay = { readonly operation: string; lost?: PlatformError };

/**
 * For calls that the platform refuses once they are done (`isRefusedOnceDone`): if an attempt has an unknown outcome and its repeat is
 * refused, the call fails with the unknown outcome. The refusal would say that nothing was done.
 */
export function createLostAnswers() {
  const underWay = new AsyncLocalStorage<CallUnderWay>();

  function onFailure(error: PlatformError): void {
    const call = underWay.getStore();
    if (call !== undefined && isOutcomeUnknown(error)) call.lost ??= error;
  }

  /** The client sends again at once, and reports no failure, if it takes a broken connection for a stale one. */
  function wrapFetch(send: PlatformFetch): PlatformFetch {
    return async (url, request) => {
      const call = underWay.getStore();
      if (call === undefined) return send(url, request);
      const fail = (cause: unknown): never => {
        if (!request.signal.aborted) call.lost ??= new PlatformNetworkError(call.operation, { cause });
        throw cause;
      };
      const answer = await send(url, request).catch(fail);
      return { status: answer.status, headers: answer.headers, bytes: () => answer.bytes().catch(fail) };
    };
  }

  async function settle<Value>(request: PlatformRequest, work: () => Promise<Value>): Promise<Value> {
    if (request.isRefusedOnceDone !== true) return work();
    const call: CallUnderWay = { operation: request.operation };
    return underWay.run(call, work).catch((error: unknown) => {
      throw isRefusal(error) ? (call.lost ?? error) : error;
    });
  }

  return {
    onFailure,
    wrapFetch,
    wrapClient: (client: PlatformClient): PlatformClient => ({
      ...client,
      request: <Schema extends z.ZodMiniType>(schema: Schema, call: PlatformRequest, options?: CallOptions) =>
        settle(call, () => client.request(schema, call, options)),
      send: (call, options) => settle(call, () => client.send(call, options)),
    }),
  };
}

const refusals: ReadonlySet<number> = new Set([400, 404, 409]);

function isRefusal(error: unknown): boolean {
  return error instanceof PlatformHttpError && refusals.has(error.status);
}
