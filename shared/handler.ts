import middy from '@middy/core';
import * as z from 'zod/mini';
import { DrawbridgeError } from './drawbridge-error.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** What API Gateway answers: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html */
export type HttpAnswer = {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** An answer that says in JSON what is wrong. */
export function problem(statusCode: number, message: string): HttpAnswer {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ message }) };
}

/** The middy stack of a function behind API Gateway: what throws is logged and answered 503, so that it is sent again. */
export function httpHandler(handle: (event: unknown) => Promise<HttpAnswer>, log: Log) {
  return middy<unknown, HttpAnswer>({ timeoutEarlyInMillis: 0 })
    .onError((request) => {
      log.error('request failed', { error: request.error });
      request.response = problem(503, 'Not taken in. Send it again.');
    })
    .handler(handle);
}

const sqsEvent = z.object({ Records: z.array(z.object({ messageId: z.string(), body: z.string() })) });

type SqsRecord = z.infer<typeof sqsEvent>['Records'][number];

/** The records that SQS shall hand out again; it deletes the others. */
export type BatchAnswer = { readonly batchItemFailures: readonly { readonly itemIdentifier: string }[] };

export type BatchHandlerDeps = { readonly log: Log; readonly metrics: Metrics };

/** In milliseconds: what is not done by then, before the function's time is over, is reported as failed. */
const reserve = 2_000;

/** The middy stack of a function behind a queue: its records side by side, each failing for itself. */
export function batchHandler(handle: (message: string) => Promise<void>, { log, metrics }: BatchHandlerDeps) {
  return middy<unknown, BatchAnswer>({ timeoutEarlyInMillis: 0 })
    .after(metrics.flush)
    .handler(async (event, context) => {
      const { Records } = z.parse(sqsEvent, event);
      const deadline = timer(context.getRemainingTimeInMillis() - reserve);
      const failed = await Promise.all(Records.map((record) => fails(record, handle, deadline.over, log)));
      deadline.cancel();
      return {
        batchItemFailures: failed.filter((id) => id !== undefined).map((itemIdentifier) => ({ itemIdentifier })),
      };
    });
}

/** The message id of a record that is not done; undefined of one that is. */
async function fails(
  { messageId, body }: SqsRecord,
  handle: (message: string) => Promise<void>,
  deadline: Promise<'late'>,
  log: Log,
): Promise<string | undefined> {
  try {
    const done = handle(body).then(() => 'done' as const);
    if ((await Promise.race([done, deadline])) === 'done') return undefined;
    log.warn('message not done in time, SQS hands it out again', { messageId });
  } catch (error) {
    log.error('message failed, SQS hands it out again', { messageId, error });
  }
  return messageId;
}

/** In milliseconds: a job is told to stop so long before its function's time is over. */
const jobReserve = 10_000;

/** A run of a job failed. What failed is in the log. */
export class JobError extends DrawbridgeError {
  override readonly name = 'JobError';
}

/**
 * The middy stack of a function that a schedule starts. What throws is logged, and fails the invocation, so that it
 * shows in the metrics of the function; Lambda would log the message of any error, so it gets one of ours.
 */
export function jobHandler(run: (stop: AbortSignal) => Promise<void>, { log, metrics }: BatchHandlerDeps) {
  return middy<unknown, void>({ timeoutEarlyInMillis: 0 }).handler(async (_, context) => {
    const end = new AbortController();
    const timeout = setTimeout(() => end.abort(), Math.max(0, context.getRemainingTimeInMillis() - jobReserve));
    try {
      await run(end.signal);
    } catch (error) {
      log.error('run failed', { error });
      throw new JobError('The run failed: the line before this one says why.');
    } finally {
      clearTimeout(timeout);
      metrics.flush();
    }
  });
}

function timer(milliseconds: number): { readonly over: Promise<'late'>; readonly cancel: () => void } {
  const { promise, resolve } = Promise.withResolvers<'late'>();
  const timeout = setTimeout(() => resolve('late'), Math.max(0, milliseconds));
  return { over: promise, cancel: () => clearTimeout(timeout) };
}
