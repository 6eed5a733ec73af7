import type { BatchGet, ItemKey } from '#shared/aws/dynamodb.ts';
import type { Queue } from '#shared/aws/queue.ts';
import type { Bus } from '#shared/bus/bus.ts';
import { type BusEvent, busEventOf, entityChanged, statusReported, validationFailed } from '#shared/bus/bus-event.ts';
import type { Difference } from '#shared/bus/event-details.ts';
import { type EntityKey, keyOfState } from '#shared/entities/entity-row.ts';
import type { BatchCall, EntityStore } from '#shared/entities/entity-store.ts';
import { type Change, remediesOf } from '#shared/entities/merge/entity-view.ts';
import type { EntityEvent } from '#shared/entities/plan-merge.ts';
import type { IdentifiedEvent } from '#shared/events/event.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import type { ReadBackEvent } from '#shared/events/read-back.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import type { OnboardingFinder } from '#shared/onboarding/onboarding-finder.ts';
import { onboardingKeys } from '#shared/onboarding/onboarding-keys.ts';
import { writeOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import type { ErasePersonEvents } from '#shared/persons/person-events.ts';
import { lowerCaseUuid, type PersonIds, type PersonIndex } from '#shared/persons/person-index.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';

/** What is erased with its person: orders and transfers are kept. */
const erasedKinds = ['natural-person', 'identification-verification'] as const;

export type ApplyEventDeps = {
  readonly entityStore: Pick<EntityStore, 'apply'>;
  readonly eventStore: Pick<EventStore, 'erase'>;
  readonly personIndex: Pick<PersonIndex, 'remove'>;
  readonly erasePersonEvents: ErasePersonEvents;
  readonly hasErased: HasErasedSubject;
  readonly bus: Pick<Bus, 'publish'>;
  /** The kinds of entities for which a status that did not become the shown one is published, too. */
  readonly reportedKinds: readonly EntityKind[];
  readonly wakeOnboarding: WakeOnboarding;
  readonly log: Log;
  readonly metrics: Metrics;
};

/** An event, and when it was delivered last. ISO 8601, UTC. */
export type ReceivedEvent = Pick<IdentifiedEvent, 'eventId' | 'eventType' | 'placed'> &
  Partial<Pick<ReadBackEvent, 'readBack' | 'differed'>> & {
    readonly quarantineReason: string | undefined;
    readonly receivedOn: string;
    /** When it was received first, if that was before. ISO 8601, UTC. */
    readonly firstReceivedOn?: string | undefined;
    /**
     * The present time, if the drain stored the event: its `receivedOn` may be of the platform's clock, and a report must not seem to be
     * earlier than an answer that was read before it, nor later than one that is read after it. ISO 8601, UTC.
     */
    readonly drainedOn?: string | undefined;
    /** The person of a verification, if the event names it. */
    readonly naturalPersonId?: string | undefined;
    /** Of a person, if the event says what its externalId is. */
    readonly onboardingId?: string | undefined;
    /** Of an event in quarantine, or one that states no person: the persons that the event names. */
    readonly namedIds?: PersonIds | undefined;
    /** The ids under which the index of persons has the event. */
    readonly indexedIds: PersonIds;
    /** Of a record that is kept in pieces: the events of the other pieces, which are erased with this one. */
    readonly otherPieces?: readonly string[];
  };

/** What became of an event: it was published, it has nothing to publish or is in quarantine, or it was erased. */
export type ApplyOutcome = 'published' | 'none' | 'erased';

/**
 * Gives a committed event its effect: merges it into the entity that it speaks of, publishes what that changed, and wakes
 * the onboarding concerned. What has no entity, or is in quarantine, is published as such; but what names an erased person is
 * erased. Can be repeated after a crash at any point; what was published is then published again.
 *
 * @throws when the entity was not written, the change may not have been published, or the onboarding not woken
 */
export type ApplyEvent = (event: ReceivedEvent) => Promise<ApplyOutcome>;

export function createApplyEvent({
  entityStore,
  eventStore,
  personIndex,
  erasePersonEvents,
  hasErased,
  bus,
  reportedKinds,
  wakeOnboarding,
  log,
  metrics,
}: ApplyEventDeps): ApplyEvent {
  return async ({ eventId, eventType, receivedOn, quarantineReason: reason, placed, ...received }) => {
    const { readBack, differed = [], namedIds, indexedIds, otherPieces = [] } = received;
    const { firstReceivedOn, drainedOn = receivedOn } = received;
    const subjects = subjectsOf({ ...received, placed });
    // Read after the commit: an erasure either finds the event stored, or is found here.
    const isOfErased = subjects !== undefined && (await hasErased(subjects));
    // As an erasure does that finds the event stored: the event would bring an erased person back.
    if (namedIds && isOfErased) {
      // This event goes last: after a crash, only this event leads to the others.
      for (const one of otherPieces) await eventStore.erase(one);
      return eraseEvent(eventId, indexedIds);
    }
    if (reason !== undefined) {
      await bus.publish([busEventOf('EventQuarantined', { eventId, eventType, receivedOn, reason })]);
      return 'none';
    }
    if (placed === undefined) {
      await bus.publish([busEventOf('EventReceived', { eventId, eventType, receivedOn })]);
      return 'published';
    }
    // The person was erased while the entity was unknown: erase the entity now, and all other events that name it. Erase the body of
    // this event last: after a crash, only this body still leads to the person.
    if (isOfErased)
      await erasePersonEvents({ keys: [{ kind: placed.kind, id: placed.id }], onboardingIds: [] }, { except: eventId });
    const event = { ...placed, eventId, receivedOn: drainedOn, firstReceivedOn, ...(readBack && { readBack }) };
    const { effect, change, isUnshown } = await entityStore.apply(event);
    // The event came late, and its person is erased: its body may name the person.
    if (effect === 'erased') return eraseEvent(eventId, indexedIds);
    if (effect === 'anomaly') {
      metrics.count('EntityAnomalies');
      const { anomalies = [] } = change ?? {};
      log.warn('event contradicts a final status', { eventId, eventType, remedies: remediesOf(anomalies) });
    }
    const drift = change && differed.length > 0 ? [driftRepaired(event, change, differed)] : [];
    const changes = change ? [entityChanged(event, change), ...drift] : [];
    const failures = event.report.hasValidationError ? [validationFailed(event)] : [];
    const reports = isUnshown && reportedKinds.includes(placed.kind) ? [statusReported(event)] : [];
    const events = [...changes, ...reports, ...failures];
    if (events.length > 0) await bus.publish(events);
    if (change !== undefined) metrics.count('EntityChanges');
    if (drift.length > 0) metrics.count('DriftRepaired');
    if (failures.length > 0) metrics.count('ValidationsFailed');
    const onboardingId = await wakeOnboarding(placed);
    if (onboardingId !== undefined) log.info('onboarding woken', { eventId, onboardingId });
    return events.length > 0 ? 'published' : 'none';
  };

  async function eraseEvent(eventId: string, indexedIds: PersonIds): Promise<ApplyOutcome> {
    await eventStore.erase(eventId);
    await personIndex.remove(eventId, indexedIds, []);
    return 'erased';
  }
}

function driftRepaired(
  { kind, id, eventId }: EntityEvent,
  { version: sequence, status, statusBefore, modifiedOn }: Change,
  differed: readonly Difference[],
): BusEvent {
  const detail = { kind, id, sequence, differed: [...differed], status, statusBefore, modifiedOn, eventId };
  return busEventOf('DriftRepaired', detail);
}

/** Of whom the event speaks, or whom it names; undefined if no person is concerned. */
function subjectsOf({ namedIds, placed, naturalPersonId, onboardingId }: Partial<ReceivedEvent>): Subjects | undefined {
  if (namedIds !== undefined) {
    const entities = namedIds.ids.flatMap((id) => erasedKinds.map((kind) => ({ kind, id })));
    return { entities, onboardingIds: namedIds.onboardingIds };
  }
  if (placed === undefined) return undefined;
  const inCapitals = erasedKinds
    .filter((kind) => kind === placed.kind && lowerCaseUuid(placed.id) !== placed.id)
    .map((kind) => ({ kind, id: lowerCaseUuid(placed.id) }));
  const ofPersons = spellingsOf(naturalPersonId).map((id) => ({ kind: 'natural-person', id }) as const);
  const onboardingIds = onboardingId === undefined ? [] : [onboardingId];
  const entities = [...inCapitals, ...ofPersons];
  return entities.length + onboardingIds.length === 0 ? undefined : { entities, onboardingIds };
}

/** An erasure leaves a note for the id in lower case, and for each spelling that it knew. */
function spellingsOf(id: string | undefined): readonly string[] {
  return id === undefined ? [] : [...new Set([id, lowerCaseUuid(id)])];
}

/** What an event names that may be erased. */
export type Subjects = { readonly entities: readonly EntityKey[]; readonly onboardingIds: readonly string[] };

/** Whether any of the subjects is erased, or is being erased. The erasure does not search again for events that arrive later. */
export type HasErasedSubject = (subjects: Subjects) => Promise<boolean>;

export type FindErasedDeps = {
  readonly batchGet: BatchGet;
  readonly entitiesTable: string;
  readonly onboardingsTable: string;
};

/** What is read of an onboarding: nothing that may be personal data. */
export const erasureAttributes = [
  onboardingKeys.partition,
  onboardingKeys.erasedOn,
  onboardingKeys.erasingOn,
  onboardingKeys.isOfAnother,
];

const tombstones = [onboardingKeys.erasedOn, onboardingKeys.erasingOn];

/** Reads for several events whether anything that they name is erased, in one call. */
export function createFindErased({ batchGet, ...tables }: FindErasedDeps): BatchCall<Subjects, boolean> {
  function keysOf({ entities, onboardingIds }: Subjects): readonly ItemKey[] {
    return [
      ...entities.map((key) => ({ tableName: tables.entitiesTable, key: keyOfState(key) })),
      ...onboardingIds.map((id) => ({
        tableName: tables.onboardingsTable,
        key: { [onboardingKeys.partition]: { S: id } },
      })),
    ];
  }

  return async (all) => {
    const itemOf = await batchGet(all.flatMap(keysOf));
    return (subjects) =>
      keysOf(subjects).some((key) => {
        const item = itemOf(key);
        // The externalId is that of another person, who is not erased.
        if (item?.[onboardingKeys.isOfAnother] !== undefined) return false;
        return tombstones.some((attribute) => item?.[attribute] !== undefined);
      });
  };
}

export type WakeOnboardingDeps = {
  readonly onboardings: Pick<OnboardingFinder, 'findByPerson' | 'findByVerification'>;
  /** The onboarding queue. */
  readonly queue: Queue;
};

/**
 * Wakes the onboarding that an entity belongs to, if there is one. The onboarding is woken whether the event changed anything or not: an event that
 * comes again after a crash changes nothing any more, and to be woken for nothing is harmless. One that is not found yet
 * is observed in time nevertheless.
 *
 * @returns the id of the onboarding that was woken
 * @throws when DynamoDB did not answer, or SQS did not confirm
 */
export type WakeOnboarding = (entity: {
  readonly kind: EntityKind;
  readonly id: string;
}) => Promise<string | undefined>;

export function createWakeOnboarding({ onboardings, queue }: WakeOnboardingDeps): WakeOnboarding {
  const finders: Readonly<Partial<Record<EntityKind, OnboardingFinder['findByPerson']>>> = {
    'natural-person': onboardings.findByPerson,
    'identification-verification': onboardings.findByVerification,
  };
  return async ({ kind, id }) => {
    const onboardingId = await finders[kind]?.(id);
    if (onboardingId !== undefined) await queue.send(writeOnboardingMessage(onboardingId));
    return onboardingId;
  };
}
