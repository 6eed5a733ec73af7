import { type IdentifiedEvent, identifyEvent, undeliveredEventType } from '#shared/event.ts';
import { type EventRow, readEventRow } from '#shared/event-row.ts';
import { inflateBody, readWebhookMessage, type WebhookMessage } from '#shared/webhook-delivery.ts';
import { simulatedProfile } from '#test/simulation/world/platform-app.ts';
import type { World } from '#test/simulation/world/world.ts';
import { readOnce } from './read-once.ts';

/** An event of the events table, and what it speaks of: nothing where it holds a record of the platform's list, or is erased. */
export type StoredEvent = EventRow & { readonly event: IdentifiedEvent | undefined };

export function storedEvents({ cloud }: World): readonly StoredEvent[] {
  return cloud.dynamodb.table('events').all().map(readStoredEvent);
}

const readStoredEvent = readOnce((item): StoredEvent => {
  const row = readEventRow(item);
  const isRecord = row.eventType === undeliveredEventType;
  const isGone = row.erasedOn !== undefined;
  return { ...row, event: isRecord || isGone ? undefined : identify(row.eventType, inflateBody(row.deflatedBody)) };
});

/** More than the events of a history. */
const mostIdentified = 1_000;

const identified = new Map<string, IdentifiedEvent>();

/** The event that a body is, by the rules of the product. It is asked for often, of the same few bodies. */
export function identify(eventType: string, body: Uint8Array): IdentifiedEvent {
  const key = `${eventType} ${Buffer.from(body).toString('latin1')}`;
  const event = identified.get(key) ?? identifyEvent(eventType, body, simulatedProfile);
  if (identified.size >= mostIdentified) identified.clear();
  identified.set(key, event);
  return event;
}

/** The ids of the events that wait for a hand. */
export function deadEvents({ cloud }: World): ReadonlySet<string> {
  const messages = cloud.sqs.queue('webhooks-dlq').all();
  return new Set(messages.map(({ body }) => eventIdOf(readWebhookMessage(body))));
}

/** The event that a message of the webhooks queue is about. What is read back is in no history yet. */
function eventIdOf({ eventId = '', delivery }: WebhookMessage): string {
  return delivery === undefined ? eventId : identify(delivery.eventType, inflateBody(delivery.deflatedBody)).eventId;
}
