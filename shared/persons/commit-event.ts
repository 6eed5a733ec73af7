import type { LaneMemory } from '#shared/aws/list/lane-memory.ts';
import type { Event } from '#shared/events/event.ts';
import type { CommitOptions, Committed, EventStore } from '#shared/events/event-store.ts';
import type { WebhookDelivery } from '#shared/events/webhook-delivery.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import type { PersonIndex } from '#shared/persons/person-index.ts';
import type { EventNames } from './stored-subject.ts';

export type CommitEventDeps = {
  readonly eventStore: Pick<EventStore, 'commit'>;
  readonly personIndex: Pick<PersonIndex, 'add' | 'remove'>;
  /** Resolves once each reader of a list knows the lanes that a webhook can enter: nothing unless given. */
  readonly rememberLanes?: LaneMemory['remember'];
  readonly log: Log;
  readonly metrics: Metrics;
};

/**
 * Commits an event to the event store, and says what became of it. The index of persons has it before.
 *
 * @param names by what the index is to find it, and whether it can be read
 * @throws when DynamoDB did not confirm a write
 */
export type CommitEvent = (
  event: Event,
  delivery: WebhookDelivery,
  names: EventNames,
  options?: CommitOptions,
) => Promise<Committed>;

/** The one step with which every webhook begins, whether the platform delivered it or we have fetched it. */
export function createCommitEvent({
  eventStore,
  personIndex,
  rememberLanes,
  log,
  metrics,
}: CommitEventDeps): CommitEvent {
  return async (event, delivery, { statement, isUnread, ...names }, options) => {
    const { eventId, eventType } = event;
    await rememberLanes?.();
    await personIndex.add({ eventId, eventType, ...statement }, names);
    const committed = await eventStore.commit(event, delivery, { ...options, isUnread });
    const { outcome, isErased } = committed;
    // A later erasure cannot remove these rows: the body that has their names is gone.
    if (isErased) await personIndex.remove(eventId, names, []);
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
