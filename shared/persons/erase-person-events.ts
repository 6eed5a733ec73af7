import { type EntityKey, entityName } from '#shared/entities/entity-row.ts';
import type { EntityStore } from '#shared/entities/entity-store.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { namesOf, readSubject } from './event-subject.ts';
import type { FindPerson, PersonKnown } from './find-person.ts';
import type { IndexedEvent, PersonIndex } from './person-index.ts';

/**
 * Erases the body of a stored event, and the bodies of the other pieces of its record; then removes the rows by which the index of persons
 * has the event, so that no other name leads to an event without a body. Can be repeated. Does nothing if the event is not stored: a row
 * of the index stays, since its event may be stored later.
 *
 * @param rows of the index that have led to the event
 */
export type EraseEvent = (event: { readonly eventId: string; readonly rows?: readonly string[] }) => Promise<void>;

const noNames = { ids: [], onboardingIds: [] };

export function createEraseEvent({
  personIndex,
  eventStore,
  profile,
}: {
  readonly personIndex: Pick<PersonIndex, 'remove'>;
  readonly eventStore: Pick<EventStore, 'read' | 'erase'>;
  readonly profile: Pick<PlatformProfile, 'places'>;
}): EraseEvent {
  return async ({ eventId, rows = [] }) => {
    const row = await eventStore.read(eventId);
    if (row === undefined) return;
    if (row.erasedOn !== undefined) return personIndex.remove(eventId, noNames, rows);
    const { subject, body, otherPieces } = await readSubject(row, profile, eventStore.read);
    // This event is erased last: after a crash it leads to the others.
    for (const one of [...otherPieces, eventId]) await eventStore.erase(one);
    await personIndex.remove(eventId, subject === 'erased in part' ? noNames : namesOf(subject, body), rows);
  };
}

export type ErasureOptions = {
  /** Gets the found entities before any event is erased that has led to them. */
  readonly onFound?: (keys: readonly EntityKey[]) => Promise<void>;
  /** An event whose body its caller erases at the end. */
  readonly except?: string;
  /** Is called before each erasure of an event or an entity. */
  readonly mayContinue?: () => boolean;
};

const concurrency = 10;

/**
 * Erases the entities of a person and of its verifications, and the bodies of all events of the person. Can be repeated after a crash
 * at any point, since an event that leads to others goes after them: first the events that lead nowhere, then the entities with their
 * timelines, and last the events that state the person of a verification or of an externalId.
 *
 * `store` writes the index, then the event, and then looks for erased entities and onboardings. So a caller has marked the onboardings
 * before, and the events are looked for once more when each entity is erased: `store` finds each later event.
 *
 * @returns whether everything is erased: false after the time limit
 */
export type ErasePersonEvents = (known: PersonKnown, options?: ErasureOptions) => Promise<boolean>;

export function createErasePersonEvents(deps: {
  readonly findPerson: FindPerson;
  readonly eraseEvent: EraseEvent;
  readonly entityStore: Pick<EntityStore, 'erase'>;
  readonly eventStore: Pick<EventStore, 'erase'>;
}): ErasePersonEvents {
  const { findPerson, eraseEvent, entityStore, eventStore } = deps;

  return async ({ keys, onboardingIds }, options = {}) => {
    const { onFound = async () => undefined, except, mayContinue = () => true } = options;
    const gone = new Set<string>();
    let isDone = true;
    const each = async <Item>(items: readonly Item[], erase: (item: Item) => Promise<void>) => {
      await mapConcurrent(items, concurrency, async (item) => {
        if (mayContinue()) await erase(item);
        else isDone = false;
      });
      return isDone;
    };
    const eraseEvents = (events: readonly IndexedEvent[]) =>
      each(
        events.filter(({ eventId }) => eventId !== except),
        eraseEvent,
      );
    const eraseEntity = async (key: EntityKey) => {
      await entityStore.erase(key, async (eventIds) => {
        const others = eventIds.filter((one) => one !== except);
        await mapConcurrent(others, concurrency, eventStore.erase);
      });
      gone.add(entityName(key));
    };
    for (let known = keys; ; ) {
      const found = await findPerson({ keys: known, onboardingIds });
      const left = found.keys.filter((key) => !gone.has(entityName(key)));
      if (left.length > 0) await onFound(found.keys);
      const [leading, others] = [found.events.filter(leads), found.events.filter((event) => !leads(event))];
      if (!((await eraseEvents(others)) && (await each(left, eraseEntity)) && (await eraseEvents(leading))))
        return false;
      if (left.length === 0) return true;
      known = found.keys;
    }
  };
}

/** Whether the event states the person of a verification or of an externalId. */
function leads({ of }: IndexedEvent): boolean {
  return of === 'natural-person' || of === 'identification-verification';
}
