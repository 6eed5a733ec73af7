import type { Log } from '#shared/lambda/log.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import type { Event } from './event.ts';
import type { CommitOptions, Committed, EventStore } from './event-store.ts';
import type { WebhookDelivery } from './webhook-delivery.ts';

export type CommitEventDeps = {
  readonly eventStore: Pick<EventStore, 'commit'>;
  readonly log: Log;
  readonly metrics: Metrics;
};

/** Commits an event to the event store, and says what became of it. @throws when DynamoDB did not confirm the write */
export type CommitEvent = (event: Event, delivery: WebhookDelivery, options?: CommitOptions) => Promise<Committed>;

/** The one step with which every webhook begins, whether the platform delivered it or we have fetched it. */
export function createCommitEvent({ eventStore, log, metrics }: CommitEventDeps): CommitEvent {
  return async (event, delivery, options) => {
    const committed = await eventStore.commit(event, delivery, options);
    const { outcome } = committed;
    if (outcome === 'stored') metrics.count('EventsStored');
    if (outcome === 'duplicate') metrics.count('DuplicateDeliveries');
    // A repeated delivery may be one whose commit succeeded and whose count was lost: said twice is better than never.
    if (outcome !== 'duplicate' && event.quarantineReason !== undefined) {
      metrics.count('EventsQuarantined');
      log.warn('event quarantined', { eventId: event.eventId, reason: event.quarantineReason });
    }
    return committed;
  };
}
