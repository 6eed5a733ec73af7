import { identifyEvent } from '#shared/event.ts';
import type { EventStore } from '#shared/event-store.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { inflateBody, readDeliveryMessage } from '#shared/webhook-delivery.ts';

export type StoreDeps = {
  readonly eventStore: EventStore;
  readonly knownEventTypes: ReadonlySet<string>;
  readonly log: Log;
  readonly metrics: Metrics;
};

/**
 * Makes one delivery on the webhooks queue an event in the event store: once, with its deliveries counted, in
 * quarantine where it cannot have an effect. Every step can be repeated, so a throw is repaired by redelivery.
 *
 * @throws when the message is none of `receive`, or when DynamoDB did not confirm the write
 */
export function createStore({ eventStore, knownEventTypes, log, metrics }: StoreDeps) {
  return async (message: string): Promise<void> => {
    const delivery = readDeliveryMessage(message);
    const event = identifyEvent(delivery.eventType, inflateBody(delivery.deflatedBody), knownEventTypes);
    const outcome = await eventStore.commit(event, delivery);
    if (outcome === 'stored') metrics.count('EventsStored');
    if (outcome === 'duplicate') metrics.count('DuplicateDeliveries');
    // A repeated delivery may be one whose commit succeeded and whose count was lost: said twice is better than never.
    if (outcome === 'duplicate' || event.quarantineReason === undefined) return;
    metrics.count('EventsQuarantined');
    log.warn('event quarantined', { eventId: event.eventId, reason: event.quarantineReason });
  };
}
