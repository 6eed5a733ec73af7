import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { toErrorBody } from '#sandbox/platform/core/refused-error.ts';
import type { Fault, Faults } from './faults.ts';

export type CommitFaultsDeps = {
  readonly faults: Faults;
  /** The operationId of what is called; undefined where it is no operation. */
  readonly operationOf: (context: Context) => string | undefined;
  readonly newId: () => string;
  /** Resolves after so many milliseconds of real time. */
  readonly wait: (milliseconds: number) => Promise<unknown>;
};

/** Lets the placed faults befall the calls of the API. */
export function commitFaults({ faults, operationOf, newId, wait }: CommitFaultsDeps): MiddlewareHandler {
  return async (context, next) => {
    const operation = operationOf(context);
    if (operation === undefined) return next();
    const befalling = faults.befalling(operation);
    for (const fault of befalling) if (fault.effect === 'LATENCY') await wait(fault.milliseconds);
    const fault = befalling.find(({ effect }) => effect !== 'LATENCY');
    if (fault === undefined || fault.effect === 'LATENCY') return next();
    if (fault.commits) await next();
    // Otherwise Hono would carry headers of the true answer over.
    context.res = undefined;
    context.res = fault.effect === 'NO_ANSWER' ? breakConnection(context, newId()) : answer(fault, newId());
    return undefined;
  };
}

function answer({ status, retryAfter, body }: Extract<Fault, { effect: 'ANSWER' }>, requestId: string): Response {
  const text = body ?? JSON.stringify(toErrorBody(status, 'A fault was placed here.', requestId));
  // 204 and its siblings have no body, and no Response takes one.
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? text : null, {
    status,
    headers: {
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    },
  });
}

/** Over a socket the connection ends without an answer; in a call without one, there is an answer that says so. */
function breakConnection(context: Context<{ Bindings: Partial<HttpBindings> }>, requestId: string): Response {
  const bindings: Partial<HttpBindings> | undefined = context.env;
  bindings?.incoming?.socket.destroy();
  return Response.json(toErrorBody(500, 'A fault breaks the connection here.', requestId), { status: 500 });
}
