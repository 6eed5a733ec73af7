import { type IdentifiedEvent, identifyEvent, undeliveredEventType } from '#shared/event.ts';
import { type EventRow, readEventRow } from '#shared/event-row.ts';
import { inflateBody, readWebhookMessage, type WebhookMessage } from '#shared/webhook-delivery.ts';
import { simulatedProfile } from '#test/simulation/world/platform-app.ts';
import type { World } from '#test/simulation/world/world.ts';

/** An event of the events table, and what it speaks of: nothing where it holds a record of the platform's list, or is erased. */
export type StoredEvent = EventRow & { readonly event: IdentifiedEvent | undefined };

export function storedEvents({ cloud }: World): readonly StoredEvent[] {
  return cloud.dynamodb
    .table('events')
    .all()
    .map((item) => {
      const row = readEventRow(item);
      const isRecord = row.eventType === undeliveredEventType;
      const isGone = row.erasedOn !== undefined;
      return { ...row, event: isRecord || isGone ? undefined : identify(row.eventType, inflateBody(row.deflatedBody)) };
    });
}

/** The event that a body is, by the rules of the product. */
export function identify(eventType: string, body: Uint8Array): IdentifiedEvent {
  return identifyEvent(eventType, body, simulatedProfile);
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
