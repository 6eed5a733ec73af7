import { type IdentifiedEvent, identifyEvent, undeliveredEventType } from '#shared/event.ts';
import { type EventRow, readEventRow } from '#shared/event-row.ts';
import type { PlatformProfile } from '#shared/platform/profile.ts';
import { type ReadBackEvent, readBackEvent, readReadBack, readStoredReadBack } from '#shared/read-back.ts';
import { inflateBody, readWebhookMessage, type WebhookMessage } from '#shared/webhook-delivery.ts';
import { simulatedProfile } from '#test/simulation/world/platform-app.ts';
import type { World } from '#test/simulation/world/world.ts';

/** An event of the events table, and what it speaks of: nothing where it holds a record of the platform's list. */
export type StoredEvent = EventRow & { readonly event: IdentifiedEvent | ReadBackEvent | undefined };

export function storedEvents({ cloud, environment }: Pick<World, 'cloud' | 'environment'>): readonly StoredEvent[] {
  return cloud.dynamodb
    .table('events')
    .all()
    .map((item) => {
      const row = readEventRow(item);
      return { ...row, event: eventOf(row, environment.PLATFORM_PROFILE) };
    });
}

function eventOf(row: EventRow, profile: PlatformProfile): StoredEvent['event'] {
  if (row.eventType === undeliveredEventType) return undefined;
  const answer = readStoredReadBack(row);
  return answer === undefined
    ? identify(row.eventType, inflateBody(row.deflatedBody), profile)
    : readBackEvent(answer).event;
}

/** The event that a body is, by the rules of the product. */
export function identify(eventType: string, body: Uint8Array, profile = simulatedProfile): IdentifiedEvent {
  return identifyEvent(eventType, body, profile);
}

/** The ids of the events that wait for a hand. */
export function deadEvents({ cloud }: World): ReadonlySet<string> {
  const messages = cloud.sqs.queue('webhooks-dlq').all();
  return new Set(messages.map(({ body }) => eventIdOf(readWebhookMessage(body))));
}

/** The event that a message of the webhooks queue is about. */
export function eventIdOf({ eventId = '', delivery, readBack }: WebhookMessage): string {
  if (readBack !== undefined) return readBackEvent(readReadBack(readBack)).event.eventId;
  return delivery === undefined ? eventId : identify(delivery.eventType, inflateBody(delivery.deflatedBody)).eventId;
}
