import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { differences } from '#shared/bus/event-details.ts';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import type { ReadBack } from '#shared/entities/merge/entity-state.ts';
import { entityId, type PlacedEvent } from '#shared/entities/place-event.ts';
import { word } from '#shared/platform/fields/received.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import type { Event } from './event.ts';
import type { EventRow } from './event-row.ts';
import { deflateBody, inflateBody, type WebhookDelivery } from './webhook-delivery.ts';

/** What can be read from the platform: the specification has no operation for orders (section 4.3). */
const readBackKinds = ['natural-person', 'identification-verification', 'transfer'] as const;

/** The key of an entity that can be read back. */
export type ReadBackKey = EntityKey & { readonly kind: (typeof readBackKinds)[number] };

export function canBeReadBack(key: EntityKey): key is ReadBackKey {
  return readBackKinds.some((kind) => kind === key.kind);
}

/**
 * The platform's answer to a read of a person, a verification or a transfer: ids and statuses, never personal data. It goes through
 * the webhooks queue to `store`, the only function that writes entities, and is an event like any other there.
 */
const readBackAnswer = z.strictObject({
  kind: z.enum(readBackKinds),
  id: entityId,
  /** The person of a verification, if known: a later read needs it. */
  naturalPersonId: z.optional(entityId),
  status: word,
  /** The platform's time of the status. */
  modifiedOn: timestamp,
  /** When the platform was read. ISO 8601, UTC. */
  readOn: z.iso.datetime(),
  /** The `openReportOn` of the entity before the read. Absent when the answer settles no report. */
  answers: z.optional(timestamp),
  /** How the entity differed although no report about it was open: drift. */
  differed: z.optional(z.array(z.enum(differences)).check(z.minLength(1))),
});

export type ReadBackAnswer = z.infer<typeof readBackAnswer>;

/** An answer as an event: it has our own type, and is about one entity. */
export type ReadBackEvent = Event & {
  readonly placed: PlacedEvent;
  readonly readBack: ReadBack;
  readonly differed: NonNullable<ReadBackAnswer['differed']>;
  readonly receivedOn: string;
};

/** The type of the events that hold an answer. That an event is of it proves nothing: a webhook's type is any text. */
export const readBackEventType = 'READ_BACK';

/** @throws `ReadBackError` */
export function readReadBack(value: unknown): ReadBackAnswer {
  const result = readBackAnswer.safeParse(value);
  if (result.success) return result.data;
  const fields = result.error.issues.map((issue) => issue.path.join('.') || 'the message');
  throw new DrawbridgeError(
    'ReadBackError',
    `The message holds no valid answer of the platform: check ${fields.join(', ')}.`,
  );
}

/** The answer as the text of an SQS message. @throws `ReadBackError` for what must not be written down */
export function writeReadBackMessage(answer: ReadBackAnswer): string {
  return JSON.stringify({ readBack: readReadBack(answer) });
}

/** The event that an answer is, and the delivery by which the event store counts it. */
export function readBackEvent(answer: ReadBackAnswer): {
  readonly event: ReadBackEvent;
  readonly delivery: WebhookDelivery;
} {
  const { kind, id, status, modifiedOn, readOn, answers, differed = [] } = answer;
  // Its keys stand in the order of the schema, and none of its values can be written in two ways.
  const body = Buffer.from(JSON.stringify(readReadBack(answer)));
  return {
    event: {
      eventId: hash(body),
      eventType: readBackEventType,
      quarantineReason: undefined,
      placed: { kind, id, report: { status, modifiedOn } },
      readBack: { readOn, ...(answers !== undefined && { answers }) },
      differed,
      receivedOn: readOn,
    },
    delivery: {
      deliveryId: 'read-back',
      eventType: readBackEventType,
      receivedOn: readOn,
      deflatedBody: deflateBody(body),
    },
  };
}

/**
 * The answer that a stored event holds; undefined of any other event. Its id shows that: the ids of webhooks are hashes of other
 * texts, so that no delivery, of any type, is taken for an answer to Drawbridge's own read.
 */
export function readStoredReadBack({
  eventId,
  eventType,
  deflatedBody,
}: Pick<EventRow, 'eventId' | 'eventType' | 'deflatedBody'>): ReadBackAnswer | undefined {
  if (eventType !== readBackEventType) return undefined;
  const body = inflateBody(deflatedBody);
  return hash(body) === eventId ? readReadBack(JSON.parse(Buffer.from(body).toString())) : undefined;
}

/** What is hashed of a webhook begins with its type as a JSON string; this begins with an array. */
function hash(body: Uint8Array): string {
  return createHash('sha256')
    .update(JSON.stringify([readBackEventType]))
    .update(body)
    .digest('hex');
}
