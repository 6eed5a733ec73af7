import { type IdentifiedEvent, identifyEvent, undeliveredEventType } from '#shared/events/event.ts';
import { type EventRow, readEventRow } from '#shared/events/event-row.ts';
import { type ReadBackEvent, readBackEvent, readReadBack, readStoredReadBack } from '#shared/events/read-back.ts';
import { inflateBody, readWebhookMessage, type WebhookMessage } from '#shared/events/webhook-delivery.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import type { Item } from '#test/simulation/aws/attribute-value.ts';
import { simulatedProfile } from '#test/simulation/system/platform-app.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import { readOnce } from './read-once.ts';

/** An event of the events table with its subject. Undelivered records and erased events have none. */
export type StoredEvent = EventRow & { readonly event: IdentifiedEvent | ReadBackEvent | undefined };

export function storedEvents(system: SimulatedSystem): readonly StoredEvent[] {
  const readStoredEvent = readerOf(system.environment.PLATFORM_PROFILE);
  return system.cloud.dynamodb.table('events').all().map(readStoredEvent);
}

/** The rows of all stored events, without their subjects. */
export function storedRows({ cloud }: SimulatedSystem): readonly EventRow[] {
  return cloud.dynamodb.table('events').all().map(readRow);
}

const readRow = readOnce(readEventRow);

const readers = new WeakMap<PlatformProfile, (item: Item) => StoredEvent>();

/** The reader for a platform profile, which determines the subject of an event. */
function readerOf(profile: PlatformProfile): (item: Item) => StoredEvent {
  const reader = readers.get(profile) ?? readOnce((item) => readStoredEvent(item, profile));
  readers.set(profile, reader);
  return reader;
}

function readStoredEvent(item: Item, profile: PlatformProfile): StoredEvent {
  const row = readRow(item);
  if (row.eventType === undeliveredEventType || row.erasedOn !== undefined) return { ...row, event: undefined };
  const answer = readStoredReadBack(row);
  const body = inflateBody(row.deflatedBody);
  return { ...row, event: answer ? readBackEvent(answer).event : identify(row.eventType, body, profile) };
}

/** The maximum size of the cache: more than the events of a history. */
const maxIdentified = 1_000;

const identified = new WeakMap<PlatformProfile, Map<string, IdentifiedEvent>>();

/** The event of a body, identified by the product. Cached, because the same few bodies are identified often. */
export function identify(eventType: string, body: Uint8Array, profile = simulatedProfile): IdentifiedEvent {
  const known = identified.get(profile) ?? new Map<string, IdentifiedEvent>();
  identified.set(profile, known);
  const key = `${eventType} ${Buffer.from(body).toString('latin1')}`;
  const event = known.get(key) ?? identifyEvent(eventType, body, profile);
  if (known.size >= maxIdentified) known.clear();
  known.set(key, event);
  return event;
}

/** The ids of the events in the DLQ. */
export function deadEvents({ cloud }: SimulatedSystem): ReadonlySet<string> {
  const messages = cloud.sqs.queue('webhooks-dlq').all();
  return new Set(messages.map(({ body }) => eventIdOf(readWebhookMessage(body))));
}

/** The event id of a message of the webhooks queue. */
export function eventIdOf({ eventId = '', delivery, readBack }: WebhookMessage): string {
  if (readBack !== undefined) return readBackEvent(readReadBack(readBack)).event.eventId;
  return delivery === undefined ? eventId : identify(delivery.eventType, inflateBody(delivery.deflatedBody)).eventId;
}
