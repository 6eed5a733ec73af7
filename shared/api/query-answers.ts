/**
 * What the query API answers. Functions import only the types, so that no schema is in a bundle: the OpenAPI document is
 * generated from the schemas.
 */
import * as z from 'zod/mini';
import { timelineEntry } from '#shared/entities/entity-row.ts';
import { change } from '#shared/entities/merge/entity-view.ts';
import { entityId } from '#shared/entities/place-event.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';

const listOf = <Item extends z.ZodMiniType>(item: Item) => z.readonly(z.array(item));

const entity = { kind: z.enum(entityKinds), id: entityId };
const sequence = z.int().check(z.positive());
const nextCursor = z.optional(z.string());

/** `GET /entities/{kind}/{id}` */
export const entityAnswer = z.object({
  ...entity,
  sequence,
  status: z.optional(z.string()),
  transactionStatus: z.optional(z.enum(['N/A', 'COMPLETED', 'MODIFIED'])),
  modifiedOn: z.optional(timestamp),
  /** The codes that the platform gave with the status; absent if it gave none. */
  reasonCodes: z.optional(listOf(z.string())),
  anomalies: listOf(z.string()),
  remedies: listOf(z.string()),
  toReadBack: z.boolean(),
});

export type EntityAnswer = Readonly<z.output<typeof entityAnswer>>;

/** An entity of `GET /entities/{kind}`. */
export const listedEntityAnswer = z.object({ ...entity, status: z.optional(z.string()), changedOn: timestamp });

/** `GET /entities/{kind}`: a page. */
export const entityListAnswer = z.object({
  items: listOf(listedEntityAnswer),
  nextCursor,
});

export type EntityListAnswer = Readonly<z.output<typeof entityListAnswer>>;

const { version: _, ...changed } = change.shape;

/** An event of `GET /entities/{kind}/{id}/timeline`. */
export const timelineEventAnswer = z.extend(timelineEntry, {
  change: z.optional(z.object({ sequence, ...changed })),
});

export type TimelineEventAnswer = Readonly<z.output<typeof timelineEventAnswer>>;

/** `GET /entities/{kind}/{id}/timeline` */
export const timelineAnswer = z.object({ ...entity, events: listOf(timelineEventAnswer), nextCursor });

export type TimelineAnswer = Readonly<z.output<typeof timelineAnswer>>;

const eventId = z.string().check(z.regex(/^[\da-f]{64}$/));
const size = z.int().check(z.nonnegative());

/** `GET /events/{eventId}`: with `body`, with `bodyBase64`, with `bodyBytes`, or with `erasedOn`. */
export const eventAnswer = z.object({
  eventId,
  eventType: z.string(),
  receivedOn: timestamp,
  deliveries: z.int().check(z.positive()),
  quarantineReason: z.optional(z.string()),
  erasedOn: z.optional(timestamp),
  entity: z.optional(z.object(entity)),
  body: z.optional(z.string()),
  bodyBase64: z.optional(z.string()),
  bodyBytes: z.optional(size),
});

export type EventAnswer = Readonly<z.output<typeof eventAnswer>>;

/** `GET /events/{eventId}/body`: a part of a body. */
export const eventBodyAnswer = z.object({
  eventId,
  bodyBytes: size,
  from: size,
  bodyBase64: z.string(),
  nextFrom: z.optional(size),
});

export type EventBodyAnswer = Readonly<z.output<typeof eventBodyAnswer>>;

/** An event of `GET /events`. */
export const listedEventAnswer = z.object({
  eventId,
  eventType: z.string(),
  receivedOn: timestamp,
  quarantineReason: z.optional(z.string()),
  expiresOn: z.optional(timestamp),
});

/** `GET /events`: a page. */
export const eventListAnswer = z.object({
  items: listOf(listedEventAnswer),
  nextCursor,
});

export type EventListAnswer = Readonly<z.output<typeof eventListAnswer>>;

/** `GET /quarantine` */
export const quarantineAnswer = z.object({
  count: size,
  counts: listOf(
    z.object({
      quarantineReason: z.string(),
      eventType: z.string(),
      count: size,
      /** When the first of them is deleted. */
      expiresOn: z.optional(timestamp),
    }),
  ),
  newest: z.optional(timestamp),
  oldest: z.optional(timestamp),
  nextCursor,
});

export type QuarantineAnswer = Readonly<z.output<typeof quarantineAnswer>>;
