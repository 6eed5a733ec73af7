import type { EntityKey } from '#shared/entities/entity-row.ts';
import type { EntityStore } from '#shared/entities/entity-store.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import type { FindPerson, PersonFound, PersonKnown } from './find-person.ts';
import type { PersonIndex } from './person-index.ts';

export type ErasePersonEventsDeps = {
  readonly findPerson: FindPerson;
  readonly personIndex: Pick<PersonIndex, 'remove'>;
  readonly entityStore: Pick<EntityStore, 'erase'>;
  readonly eventStore: Pick<EventStore, 'erase'>;
};

export type ErasureOptions = {
  /** Receives the entities that were found beyond those before, before anything is erased that has led to them. */
  readonly onFound?: (keys: readonly EntityKey[]) => Promise<void>;
  /** An event whose body its caller erases at the end. */
  readonly except?: string;
  /** Is asked before each read of an event. */
  readonly mayGoOn?: () => boolean;
};

const concurrency = 10;

/**
 * Erases the entities of a person and of its verifications, and the bodies of all events that are the person's. Can be repeated, after a crash at any
 * point: what led to an entity goes after the entity.
 *
 * `store` writes the index, then the event, and then looks for erased entities and onboardings. So whoever calls this has marked the
 * onboardings before, and the events are looked for once more when each entity is erased: each later event is found by `store`.
 *
 * @returns whether all is erased: time may be over
 */
export type ErasePersonEvents = (known: PersonKnown, options?: ErasureOptions) => Promise<boolean>;

export function createErasePersonEvents(deps: ErasePersonEventsDeps): ErasePersonEvents {
  const { findPerson, personIndex, entityStore, eventStore } = deps;

  return async ({ keys, onboardingIds }, { onFound = async () => undefined, except, mayGoOn } = {}) => {
    const gone = new Set<EntityKey>();
    const isNew = (key: EntityKey) => ![...gone].some((one) => one.kind === key.kind && one.id === key.id);
    for (let known = keys; ; ) {
      const found = await findPerson({ keys: known, onboardingIds }, mayGoOn);
      const left = found.keys.filter(isNew);
      if (left.length > 0) await onFound(found.keys);
      for (const key of left) {
        await eraseEntity(key, except);
        gone.add(key);
      }
      await eraseEvents(found, onboardingIds, except);
      if (left.length === 0) return found.isComplete;
      known = found.keys;
    }
  };

  function eraseEntity(key: EntityKey, except: string | undefined): Promise<void> {
    return entityStore.erase(key, async (eventIds) => {
      await mapConcurrent(
        eventIds.filter((one) => one !== except),
        concurrency,
        eventStore.erase,
      );
    });
  }

  async function eraseEvents(
    { events, indexed, keys }: PersonFound,
    onboardingIds: readonly string[],
    except?: string,
  ) {
    await mapConcurrent(
      events.filter(({ eventId }) => eventId !== except),
      concurrency,
      async ({ eventId, otherPieces }) => {
        // This one goes last: it is what leads to the others, after a crash.
        for (const one of [...otherPieces, eventId]) await eventStore.erase(one);
      },
    );
    const erased = indexed.filter(({ eventId }) => eventId !== except);
    await personIndex.remove(erased, { ids: keys.map(({ id }) => id), onboardingIds });
  }
}
