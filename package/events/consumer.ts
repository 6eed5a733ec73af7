import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';

import { anyFunction, checkOptions } from '#package/check-options.ts';
import { runHook } from '#package/run-hook.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { parseJson } from '#shared/parse-json.ts';
import {
  type BusEvent,
  BusEventError,
  type BusEventOf,
  busEventSchemas,
  type DetailType,
  detailTypeOf,
  type PlaceInOrder,
  parseBusEvent,
  placeInOrder,
} from './bus-events.ts';
import type { SequenceStore } from './sequence-store.ts';

/** What your service does with each event, by its detail-type. */
export type Handlers = { readonly [Type in DetailType]?: (event: BusEventOf<Type>) => Promise<unknown> };

/** What became of a message. It holds no personal data. */
export type MessageOutcome = {
  readonly messageId: string;
  /**
   * `handled`: it took effect. `stale`: dropped, since it took effect before, or a newer one has begun (in the mode `latest-state`). `held`: another run works on the
   * entity, SQS hands the message over again. `failed`: SQS hands it over again, and at last to the dead-letter queue.
   */
  readonly outcome: 'handled' | 'stale' | 'held' | 'failed';
  readonly detailType?: DetailType | undefined;
  /** The entity or the onboarding, and the sequence. */
  readonly key?: string | undefined;
  readonly sequence?: number | undefined;
  readonly error?: unknown;
};

/**
 * Which events are handled.
 *
 * - `latest-state`, for what shows how an entity is: an event that comes after a newer one of its entity is dropped.
 * - `every-change`, for bookings: each event is handled once, in whatever order it comes. No order is promised.
 */
export type ConsumerMode = 'latest-state' | 'every-change';

export type ConsumerOptions = {
  readonly handlers: Handlers;
  /** `latest-state` by default. */
  readonly mode?: ConsumerMode | undefined;
  readonly sequences: SequenceStore;
  /**
   * Gets the outcome of each message, to log or count it. The consumer ignores an error that the hook throws or rejects with, and awaits no
   * promise. By default, each failure is written to the error log as JSON, with the id of the message and the error.
   */
  readonly onMessage?: ((outcome: MessageOutcome) => void) | undefined;
  /** How many entities of a batch are worked on concurrently: a positive integer, 10 by default. */
  readonly entityConcurrency?: number | undefined;
  /**
   * In milliseconds: how long a run can take at most, if no context of Lambda says so. 15 minutes by default, the longest that Lambda
   * allows.
   */
  readonly maxRunMs?: number | undefined;
};

/** The answer of a Lambda function to SQS with `reportBatchItemFailures`. */
export type BatchAnswer = { readonly batchItemFailures: { readonly itemIdentifier: string }[] };

/** What the consumer uses of the context of Lambda. */
export type RunContext = { readonly getRemainingTimeInMillis: () => number };

const sqsBatch = z.object({ Records: z.array(z.object({ messageId: z.string(), body: z.string() })) });

type Message = { readonly messageId: string; readonly body: string };
type ParsedMessage = Message & { readonly event: BusEvent; readonly place: PlaceInOrder };

/** In milliseconds: how much the clocks of two hosts may differ, and how late a host may end a run. It is `claimMargin` of the laptop, too. */
const clockSkewMs = 10_000;

const usableOptions = z.object({
  handlers: z.record(z.string(), z.optional(anyFunction)),
  sequences: z.object({ claim: anyFunction, settle: anyFunction }),
  mode: z.optional(z.enum(['latest-state', 'every-change'])),
  entityConcurrency: z.optional(
    z.custom((value) => Number.isSafeInteger(value) && Number(value) > 0, { error: 'must be a positive integer' }),
  ),
  maxRunMs: z.optional(
    z.custom((value) => Number.isFinite(value) && Number(value) > 0, { error: 'must be a positive number' }),
  ),
});

const expectation =
  'createConsumer expects { handlers: { OrderStatusChanged: async (event) => … }, sequences }: create sequences by dynamoDbSequences, or by inMemorySequences in a test.';

function checkHandlers(options: unknown): void {
  const { handlers } = checkOptions(usableOptions, options, expectation);
  const unknown = Object.keys(handlers).find((type) => !Object.hasOwn(busEventSchemas, type));
  if (unknown !== undefined)
    throw new TypeError(`createConsumer has a handler for ${unknown}, which is not a detail-type of the bus.`);
}

/**
 * The handler of a Lambda function that consumes bus events from a queue. Switch `reportBatchItemFailures` on for its event source.
 *
 * At least once in: EventBridge and SQS duplicate and reorder. Out, in the mode `latest-state`, per entity or onboarding:
 *
 * 1. One handler runs at a time. A handler never begins with an older sequence than one that began before. So effects come in order.
 * 2. An event whose effect was settled never runs again. Only the newest event can run twice: if its handler fails, or the run ends between
 *    the effect and the settlement. So write effects that can be repeated, or keep the sequence in the same write as the effect.
 * 3. An event that comes after a newer one is dropped: handle what the entity has become, do not count its changes.
 *
 * In the mode `every-change`, per event: one handler runs at a time, and an event whose effect was settled never runs again. An event can run
 * twice if its handler fails, or the run ends between the effect and the settlement. So book under a condition.
 *
 * This holds while a run ends before its claim: pass the context of Lambda on.
 */
export function createConsumer(
  options: ConsumerOptions,
): (batch: unknown, context?: RunContext) => Promise<BatchAnswer> {
  checkHandlers(options);
  const {
    handlers,
    sequences,
    mode = 'latest-state',
    onMessage = logFailure,
    entityConcurrency = 10,
    maxRunMs = 900_000,
  } = options;
  return async (batch, context) => {
    const endsAfterMs = context?.getRemainingTimeInMillis() ?? maxRunMs;
    const outcomes: MessageOutcome[] = [];
    const messages = readBatch(batch);
    const parsed = messages.flatMap((message) => {
      try {
        return [parseMessage(message)];
      } catch (error) {
        outcomes.push({ messageId: message.messageId, outcome: 'failed', error });
        return [];
      }
    });
    // In the order of their sequences, so that as few as possible are dropped.
    const ordered = parsed.toSorted((one, other) => one.place.sequence - other.place.sequence);
    const groups = [...Map.groupBy(ordered, ({ place }) => place.key).values()];
    await mapConcurrent(groups, entityConcurrency, async (ofOneKey) => {
      for (const message of ofOneKey) outcomes.push(await consume(message, endsAfterMs + clockSkewMs));
    });
    for (const outcome of outcomes) runHook(onMessage, outcome);
    return answerOf(messages, outcomes);
  };

  function parseMessage({ messageId, body }: Message): ParsedMessage {
    const envelope = parseJson(body);
    const type = detailTypeOf(envelope);
    if (handlers[type] === undefined)
      throw new BusEventError(`No handler takes ${type}: add one, or subscribe the queue to fewer events.`);
    const event = parseBusEvent(envelope);
    return { messageId, body, event, place: placeInOrder(event) };
  }

  async function consume({ messageId, event, place }: ParsedMessage, holdMs: number): Promise<MessageOutcome> {
    const about = { messageId, detailType: event['detail-type'], ...place };
    const claim = { ...claimOf(place, mode), holder: randomUUID(), holdMs };
    try {
      const answer = await sequences.claim(claim);
      if (answer !== 'claimed') return { ...about, outcome: answer };
      try {
        await handle(event['detail-type'], event);
      } catch (error) {
        // The key is free immediately for the next attempt. If not, its time ends.
        await sequences.settle(claim, false).catch(() => undefined);
        return { ...about, outcome: 'failed', error };
      }
      await sequences.settle(claim, true);
      return { ...about, outcome: 'handled' };
    } catch (error) {
      return { ...about, outcome: 'failed', error };
    }
  }

  async function handle<Type extends DetailType>(type: Type, event: BusEventOf<Type>): Promise<void> {
    await handlers[type]?.(event);
  }
}

/** @throws {BusEventError} */
function readBatch(batch: unknown): readonly Message[] {
  const { data } = sqsBatch.safeParse(batch);
  if (data !== undefined) return data.Records;
  throw new BusEventError(
    'The consumer expects a batch of SQS, { Records: [{ messageId, body }] }: subscribe a queue, and make the queue an event source of the function.',
  );
}

/** Acknowledges only messages with an outcome: SQS deletes what the answer does not name. */
function answerOf(messages: readonly Message[], outcomes: readonly MessageOutcome[]): BatchAnswer {
  const acknowledged = new Set(outcomes.map(({ messageId }) => messageId));
  for (const { messageId, outcome } of outcomes)
    if (outcome === 'failed' || outcome === 'held') acknowledged.delete(messageId);
  const failures = messages.filter(({ messageId }) => !acknowledged.has(messageId));
  return { batchItemFailures: failures.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

function logFailure({ outcome, messageId, detailType, key, sequence, error }: MessageOutcome): void {
  if (outcome !== 'failed') return;
  const about =
    error instanceof Error ? { name: error.name, message: error.message, stack: error.stack } : String(error);
  console.error(JSON.stringify({ message: 'bus event failed', messageId, detailType, key, sequence, error: about }));
}

/** In the mode `every-change` each event has a key of its own, so that no other event makes it stale. */
function claimOf({ key, sequence }: PlaceInOrder, mode: ConsumerMode): PlaceInOrder {
  return mode === 'latest-state' ? { key, sequence } : { key: `each#${key}#${sequence}`, sequence: 1 };
}
