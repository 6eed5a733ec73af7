import type { CommitEvent } from '#shared/commit-event.ts';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { identifyEvent } from '#shared/event.ts';
import type { EventStore } from '#shared/event-store.ts';
import { inflateBody, readWebhookMessage, type WebhookDelivery } from '#shared/webhook-delivery.ts';

export type StoreDeps = {
  readonly commitEvent: CommitEvent;
  readonly eventStore: Pick<EventStore, 'read'>;
  readonly knownEventTypes: ReadonlySet<string>;
};

/** An event was handed over that is not in the event store. */
export class EventMissingError extends DrawbridgeError {
  override readonly name = 'EventMissingError';
}

/**
 * Works on one message of the webhooks queue: a delivery becomes an event in the event store, once, with its deliveries
 * counted, in quarantine where it cannot have an effect; an event that the drain has stored is taken as it is. Every
 * step can be repeated, so a throw is repaired by redelivery.
 *
 * @throws when the message is none of `receive` or `drain`, or when DynamoDB did not confirm a write
 */
export function createStore({ commitEvent, eventStore, knownEventTypes }: StoreDeps) {
  return async (message: string): Promise<void> => {
    const { delivery, eventId } = readWebhookMessage(message);
    if (delivery !== undefined) await commitDelivery(delivery);
    else await readStored(eventId);
  };

  async function commitDelivery(delivery: WebhookDelivery): Promise<void> {
    const event = identifyEvent(delivery.eventType, inflateBody(delivery.deflatedBody), knownEventTypes);
    await commitEvent(event, delivery);
  }

  async function readStored(eventId: string): Promise<void> {
    if ((await eventStore.read(eventId)) !== undefined) return;
    throw new EventMissingError('The event store does not have the event that was handed over: it moves to the DLQ.');
  }
}
