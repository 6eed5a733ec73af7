import middy from '@middy/core';
import * as z from 'zod/mini';
import { DrawbridgeError, InvalidRequestError, invalidRequestType } from '#shared/drawbridge-error.ts';
import { isOurOwn, type Log, type LogFields } from './log.ts';
import { type Metrics, repeatedFailures } from './metrics.ts';

/** What every handler logs and counts with. Each writes its metrics at the end of a request, batch or invocation. */
export type HandlerDeps = { readonly log: Log; readonly metrics: Metrics };

const sqsRecord = z.object({
  messageId: z.string(),
  body: z.string(),
  /** How often SQS has handed the message out, this time included. */
  attributes: z.object({ ApproximateReceiveCount: z.coerce.number() }),
});

const sqsEvent = z.object({ Records: z.array(sqsRecord) });

type SqsRecord = z.infer<typeof sqsRecord>;

/** The records that SQS shall hand out again; it deletes the others. */
export type BatchAnswer = { readonly batchItemFailures: readonly { readonly itemIdentifier: string }[] };

/** In milliseconds, before the function's time is over: messages that are not done by then are reported as failed, and runs are asked to stop. */
export const reserveMs = 2_000;

/** The ids by which a search of the logs finds a message. */
export type LogIds = Pick<LogFields, 'deliveryId' | 'eventId' | 'onboardingId'>;

/** Shows what a message is about, as soon as its reader knows: if the message fails, its line has these ids. */
export type SetLogIds = (ids: LogIds) => void;

/** A message of a batch. */
export type QueueMessage = { readonly text: string; readonly setLogIds: SetLogIds };

/**
 * Begins the work on all messages of a batch: for each message, a promise that rejects if the message failed. From `halfTime` on no
 * message may wait for another one: a message whose calls hang would use up the time of all.
 */
export type StartBatch = (messages: readonly QueueMessage[], halfTime: Promise<void>) => readonly Promise<void>[];

/** The middy stack of a function behind a queue: its records run concurrently, each fails for itself. */
export function batchHandler(handle: (message: string, setLogIds: SetLogIds) => Promise<void>, deps: HandlerDeps) {
  return wholeBatchHandler((messages) => messages.map(async ({ text, setLogIds }) => handle(text, setLogIds)), deps);
}

/** The same, for a function whose records share some of their work. */
export function wholeBatchHandler(start: StartBatch, deps: HandlerDeps) {
  const { metrics } = deps;
  return middy<unknown, BatchAnswer>({ timeoutEarlyInMillis: 0 })
    .after(metrics.flush)
    .handler(async (event, context) => {
      const records = z.parse(sqsEvent, event).Records.map(toMessage);
      const deadline = timer(context.getRemainingTimeInMillis() - reserveMs);
      const works = start(records, deadline.half);
      const failed = await Promise.all(
        records.map((record, index) => fails(record, works[index], deadline.over, deps)),
      );
      deadline.cancel();
      return {
        batchItemFailures: failed.filter((id) => id !== undefined).map((itemIdentifier) => ({ itemIdentifier })),
      };
    });
}

type WatchedMessage = QueueMessage & {
  readonly messageId: string;
  readonly receives: number;
  readonly about: () => LogIds;
};

function toMessage({ messageId, body, attributes }: SqsRecord): WatchedMessage {
  let about: LogIds = {};
  const setLogIds: SetLogIds = (ids) => {
    about = ids;
  };
  return { messageId, text: body, receives: attributes.ApproximateReceiveCount, setLogIds, about: () => about };
}

/** The message id if the record is not done; otherwise undefined. */
async function fails(
  { messageId, receives, about }: WatchedMessage,
  work: Promise<void> | undefined,
  deadline: Promise<'late'>,
  { log, metrics }: HandlerDeps,
): Promise<string | undefined> {
  let isConflict = false;
  try {
    const done = work?.then(() => 'done' as const);
    if ((await Promise.race([done, deadline])) === 'done') return undefined;
    const { deliveryId, eventId, onboardingId } = about();
    log.warn('message timed out', { messageId, receives, deliveryId, eventId, onboardingId });
  } catch (error) {
    const { deliveryId, eventId, onboardingId } = about();
    log.error('message failed', { messageId, receives, deliveryId, eventId, onboardingId, error });
    isConflict = error instanceof DrawbridgeError && error.code === 'ConflictError';
  }
  // A message that has failed before says nothing of the version that it fails in now. Neither does one that another writer overtook.
  if (receives === 1 && !isConflict) metrics.countOfVersion('FirstAttemptsFailed');
  if (receives >= repeatedFailures) metrics.count('MessagesFailedRepeatedly');
  return messageId;
}

/** What bounds one invocation. In milliseconds, and a signal that aborts shortly before the time is over. */
export type InvocationLimits = { readonly timeLimit: number; readonly signal: AbortSignal };

/**
 * The middy stack of a function that is invoked as it is, by a schedule, a rule or manually: what throws is logged, and fails the
 * invocation, which Lambda counts as an error. An {@link InvalidRequestError} keeps its type.
 *
 * @param reserve in milliseconds: how long before the end of its time it is asked to stop
 */
export function invocationHandler<Answer>(
  handle: (event: unknown, limits: InvocationLimits) => Promise<Answer>,
  { log, metrics, reserve = reserveMs }: HandlerDeps & { readonly reserve?: number },
) {
  return middy<unknown, Answer, Error>({ timeoutEarlyInMillis: 0 })
    .after(metrics.flush)
    .onError((request) => {
      const { error } = request;
      metrics.flush();
      if (error instanceof InvalidRequestError) {
        log.warn('invocation rejected', { error });
        request.error = new InvalidRequestError(invalidRequestType, error.message);
        return;
      }
      log.error('invocation failed', { error });
      // Without its cause: Lambda may log that as well.
      request.error = new DrawbridgeError(
        'InvocationError',
        isOurOwn(error) ? error.message : 'The invocation failed: read the log.',
      );
    })
    .handler(async (event, context) => {
      const timeLimit = context.getRemainingTimeInMillis();
      const signal = AbortSignal.timeout(Math.max(0, timeLimit - reserve));
      try {
        return await handle(event, { timeLimit, signal });
      } catch (cause) {
        throw signal.aborted
          ? new DrawbridgeError('InvocationError', 'The invocation ran out of time.', { cause })
          : cause;
      }
    });
}

function timer(milliseconds: number) {
  const half = Promise.withResolvers<void>();
  const over = Promise.withResolvers<'late'>();
  const halfMs = Math.max(0, milliseconds) / 2;
  let timeout = setTimeout(() => {
    half.resolve();
    timeout = setTimeout(() => over.resolve('late'), halfMs);
  }, halfMs);
  return { half: half.promise, over: over.promise, cancel: () => clearTimeout(timeout) };
}
