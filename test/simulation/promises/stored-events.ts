import { type IdentifiedEvent, identifyEvent, undeliveredEventType } from '#shared/event.ts';
import { type EventRow, readEventRow } from '#shared/event-row.ts';
import type { PlatformProfile } from '#shared/platform/profile.ts';
import { type ReadBackEvent, readBackEvent, readReadBack, readStoredReadBack } from '#shared/read-back.ts';
import { inflateBody, readWebhookMessage, type WebhookMessage } from '#shared/webhook-delivery.ts';
import { simulatedProfile } from '#test/simulation/world/platform-app.ts';
import type { World } from '#test/simulation/world/world.ts';

/** An event of the events table, and what it speaks of: nothing where it holds a record of the platform's list. */
export type StoredEvent = EventRow & { readonly event: IdentifiedEvent | ReadBackEvent | undefined };

export function storedEvents(world: World): readonly StoredEvent[] {
  const { PLATFORM_PROFILE } = world.environment;
  return storedRows(world).map((row) => ({ ...row, event: eventOf(row, PLATFORM_PROFILE) }));
}

/** The same, whatever they speak of. */
export function storedRows({ cloud }: World): readonly EventRow[] {
  return cloud.dynamodb.table('events').all().map(readEventRow);
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
