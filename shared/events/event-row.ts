import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createRowReader, type Item, wholeNumber } from '#shared/aws/dynamodb.ts';
import { laneNames, laneOf, usualLanes } from '#shared/aws/list/lanes.ts';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import type { Event } from './event.ts';
import type { WebhookDelivery } from './webhook-delivery.ts';

/** The keys of the events table and of its index: the stacks create them, the event store uses them. */
export const eventKeys = {
  partition: 'eventId',
  timeToLive: 'expiresAt',
  /** Holds only quarantined events, to find them without a scan of the table. */
  quarantine: { index: 'quarantined', partition: 'quarantineShard', sort: 'receivedOn' },
  /** Holds all events if the setting `listEvents` asks for it, by their type and by when the first delivery arrived. */
  listed: { index: 'listed', partition: 'listLane', sort: 'receivedOn' },
  /** The same without the type, so that a page of all events reads as many partitions as a page of one type. */
  received: { index: 'received', partition: 'receivedLane', sort: 'receivedOn' },
} as const;

/** The shards of the quarantine index: the first hex digit of the event id, so that no partition gets all events. */
export const quarantineShards = laneNames(usualLanes);

/** The types that have their own partitions in the index of all events; all other types share some. */
export type ListedTypes = readonly string[];

/** Stands for every type without partitions of its own. No event type of the platform is in lower case. */
const otherTypes = 'other';

/** How the indexes of all events are partitioned. */
export type EventLanes = { readonly types: ListedTypes; readonly lanes: number };

/** The partitions that hold an event in the indexes of all events. */
function lanesOf({ eventType, eventId }: Pick<Event, 'eventType' | 'eventId'>, { types, lanes }: EventLanes) {
  const lane = laneOf(eventId, lanes);
  return {
    [eventKeys.listed.partition]: { S: `${types.includes(eventType) ? eventType : otherTypes}#${lane}` },
    [eventKeys.received.partition]: { S: lane },
  };
}

/**
 * The partitions that hold the events of a type, or all events. An event of a type that had no partitions of its own when it
 * was stored is among the others.
 */
export function listLanesOf(eventType: string | undefined, { types, lanes }: EventLanes): readonly string[] {
  const groups = new Set([...(eventType === undefined ? types : [eventType]), otherTypes]);
  return [...groups].flatMap((group) => laneNames(lanes).map((lane) => `${group}#${lane}`));
}

const text = z.object({ S: z.string() });
const bytes = z.object({ B: z.instanceof(Uint8Array) });

const eventItem = z.object({
  eventId: text,
  eventType: text,
  /** When the first delivery arrived. */
  receivedOn: text,
  deflatedBody: bytes,
  deliveries: wholeNumber,
  deliveryIds: z.object({ SS: z.array(z.string()) }),
  expiresAt: wholeNumber,
  quarantineReason: z.optional(text),
  erasedOn: z.optional(text),
  handedOver: z.optional(z.object({ SS: z.array(z.string()) })),
  handedOverUntil: z.optional(text),
});

/** An event as the events table keeps it. */
export type EventRow = {
  readonly eventId: string;
  readonly eventType: string;
  /** When the first delivery arrived. ISO 8601, UTC. */
  readonly receivedOn: string;
  /** The body of the first delivery, deflated (RFC 1951), byte for byte. */
  readonly deflatedBody: Uint8Array;
  /** How many times the platform delivered it. */
  readonly deliveries: number;
  /** The latest deliveries, oldest first. */
  readonly deliveryIds: readonly string[];
  /** When DynamoDB may delete the row, in seconds since 1970. */
  readonly expiresAt: number;
  /** Why the event has no effect; undefined if it has one. May be a reason of a later release. */
  readonly quarantineReason: string | undefined;
  /** When the body was erased, with its person. ISO 8601, UTC. */
  readonly erasedOn?: string | undefined;
  /** Of its deliveries, those that the drain stored, and for which SQS confirmed the hand-over to the webhooks queue. */
  readonly handedOver?: readonly string[] | undefined;
  /** The newest handed-over delivery that the row does not list any more: all from the first to this one count as handed over. */
  readonly handedOverUntil?: string | undefined;
};

/** Reads attributes of a row. @throws `EventRowError` */
export const { read: readItem } = createRowReader(
  (fields) =>
    new DrawbridgeError(
      'EventRowError',
      `A row of the events table cannot be read: ${fields.join(', ')}. Find out what wrote it.`,
    ),
);

/** @throws `EventRowError` when an attribute is missing or of another type */
export function readEventRow(item: Item): EventRow {
  const data = readItem(eventItem, item);
  return {
    eventId: data.eventId.S,
    eventType: data.eventType.S,
    receivedOn: data.receivedOn.S,
    deflatedBody: data.deflatedBody.B,
    deliveries: data.deliveries,
    deliveryIds: data.deliveryIds.SS.toSorted(),
    expiresAt: data.expiresAt,
    quarantineReason: data.quarantineReason?.S,
    erasedOn: data.erasedOn?.S,
    handedOver: data.handedOver?.SS.toSorted(),
    handedOverUntil: data.handedOverUntil?.S,
  };
}

/**
 * The row of an event that is delivered for the first time.
 *
 * @param listed undefined if the indexes of all events are not kept
 */
export function newEventRow(
  event: Event,
  delivery: WebhookDelivery,
  expiresAt: number,
  listed?: EventLanes,
): Record<string, AttributeValue> {
  return {
    eventId: { S: event.eventId },
    eventType: { S: event.eventType },
    receivedOn: { S: delivery.receivedOn },
    deflatedBody: { B: delivery.deflatedBody },
    deliveries: { N: '1' },
    deliveryIds: { SS: [deliveryKey(delivery)] },
    expiresAt: { N: String(expiresAt) },
    ...(listed && lanesOf(event, listed)),
    ...(event.quarantineReason !== undefined && {
      quarantineReason: { S: event.quarantineReason },
      quarantineShard: { S: shardOf(event.eventId) },
    }),
  };
}

/** Where an event is in the quarantine index. */
export function shardOf(eventId: string): string {
  return eventId.slice(0, 1);
}

/** The name of a delivery within its event. The time comes first, so that names sort by time. */
export function deliveryKey(delivery: WebhookDelivery): string {
  return `${delivery.receivedOn}#${delivery.deliveryId}`;
}

/**
 * When the event was received first, of the deliveries that the row names: they may be committed in another order. ISO
 * 8601, UTC.
 */
export function firstReceivedOn({ deliveryIds, receivedOn }: Pick<EventRow, 'deliveryIds' | 'receivedOn'>): string {
  const first = deliveryIds.at(0)?.split('#', 1)[0];
  return first === undefined || first > receivedOn ? receivedOn : first;
}

/** When the event was delivered last. ISO 8601, UTC. */
export function lastReceivedOn({ deliveryIds, receivedOn }: EventRow): string {
  return deliveryIds.at(-1)?.split('#', 1)[0] ?? receivedOn;
}

/** What the ids of deliveries begin with that were drained from the list of undelivered webhooks. */
export const undeliveredPrefix = 'undelivered:';

/** Whether the drain stored a delivery of the event: the time of that receipt is then of the platform's clock. */
export function isDrained({ deliveryIds }: Pick<EventRow, 'deliveryIds'>): boolean {
  return deliveryIds.some((key) => key.includes(`#${undeliveredPrefix}`));
}

/** Whether a delivery is among those that an event has, or had handed over, whenever it was received. */
export function hasDelivery(
  deliveryKeys: readonly string[],
  { deliveryId }: Pick<WebhookDelivery, 'deliveryId'>,
): boolean {
  return deliveryKeys.some((key) => key.endsWith(`#${deliveryId}`));
}

/**
 * Whether the drain needs no further hand-over of an event for this delivery: the drain has handed the delivery over, or so many
 * older and newer ones that the row has forgotten which. A delivery between two others changes neither the first nor the last receipt.
 */
export function isHandedOver(
  { handedOver = [], handedOverUntil }: Pick<EventRow, 'handedOver' | 'handedOverUntil'>,
  delivery: WebhookDelivery,
): boolean {
  if (hasDelivery(handedOver, delivery)) return true;
  const [first] = handedOver.toSorted();
  const name = deliveryKey(delivery);
  return handedOverUntil !== undefined && first !== undefined && first < name && name <= handedOverUntil;
}

const listedItem = z.object({
  eventId: text,
  eventType: text,
  receivedOn: text,
  quarantineReason: z.optional(text),
  expiresAt: wholeNumber,
});

/** The attributes of a listed event: not the body and the deliveries, which do not leave DynamoDB. */
export const listedAttributes = Object.keys(listedItem.shape).join(', ');

/** An event as a list shows it. */
export type ListedEvent = {
  readonly eventId: string;
  readonly eventType: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly receivedOn: string;
  /** Undefined if it has its effect. */
  readonly quarantineReason: string | undefined;
  /** When it is deleted, or hours later. ISO 8601, UTC. */
  readonly expiresOn: string;
};

export function readListedEvent(item: Item): ListedEvent {
  const { eventId, eventType, receivedOn, quarantineReason, expiresAt } = readItem(listedItem, item);
  return {
    eventId: eventId.S,
    eventType: eventType.S,
    receivedOn: receivedOn.S,
    quarantineReason: quarantineReason?.S,
    expiresOn: new Date(expiresAt * 1_000).toISOString(),
  };
}
