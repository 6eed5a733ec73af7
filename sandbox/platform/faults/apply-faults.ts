import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { toErrorBody } from '#sandbox/platform/core/refused-error.ts';
import type { Fault, Faults } from './faults.ts';

export type ApplyFaultsDeps = {
  readonly faults: Faults;
  /** The operationId of the call; undefined if it is not an operation. */
  readonly operationOf: (context: Context) => string | undefined;
  readonly newId: () => string;
  /** Resolves after some milliseconds of real time. */
  readonly wait: (milliseconds: number) => Promise<unknown>;
};

/** What a fault knows of a call, and says of its answer. */
export type FaultEnv = { Bindings: Partial<HttpBindings>; Variables: { isSentUnchanged?: boolean } };

/** Applies the placed faults to the calls of the API. */
export function applyFaults({ faults, operationOf, newId, wait }: ApplyFaultsDeps): MiddlewareHandler<FaultEnv> {
  return async (context, next) => {
    const operation = operationOf(context);
    if (operation === undefined) return next();
    const matching = faults.faultsFor(operation);
    for (const fault of matching) if (fault.effect === 'LATENCY') await wait(fault.milliseconds);
    const fault = matching.find(({ effect }) => effect !== 'LATENCY');
    if (fault === undefined || fault.effect === 'LATENCY') return next();
    if (fault.commits) await next();
    context.set('isSentUnchanged', fault.effect === 'ANSWER' && fault.body !== undefined);
    // Otherwise Hono keeps the headers of the original answer.
    context.res = undefined;
    context.res = fault.effect === 'NO_ANSWER' ? breakConnection(context, newId()) : answer(fault, newId());
    return undefined;
  };
}

function answer({ status, retryAfter, body }: Extract<Fault, { effect: 'ANSWER' }>, requestId: string): Response {
  const text = body ?? JSON.stringify(toErrorBody(status, 'A fault answers in place of the platform.', requestId));
  // A Response with 204 or similar must not have a body.
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? text : null, {
    status,
    headers: {
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    },
  });
}

/** Breaks the connection. A call without a socket gets an answer that says so. */
function breakConnection(context: Context<FaultEnv>, requestId: string): Response {
  const bindings: Partial<HttpBindings> | undefined = context.env;
  bindings?.incoming?.socket.destroy();
  return Response.json(toErrorBody(500, 'A fault breaks the connection.', requestId), { status: 500 });
}
