import { type EntityKey, entityName } from '#shared/entities/entity-row.ts';
import type { EntityStore } from '#shared/entities/entity-store.ts';
import { undeliveredEventType } from '#shared/events/event.ts';
import type { ListEvents } from '#shared/events/event-list.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { onErasure } from '#shared/platform/profile/event-place.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { namesOf, readSubject, statedPersonOf, wordsIn } from './event-subject.ts';
import { type IndexedEvent, lowerCaseUuid, type PersonIds, type PersonIndex } from './person-index.ts';

/** What identifies a person: the entities of the person and its verifications, and the onboardings of its externalIds. */
export type PersonKnown = { readonly keys: readonly EntityKey[]; readonly onboardingIds: readonly string[] };

/** What is stored of a person. */
export type PersonFound = {
  /** The entities of the person and of its verifications: those that were known, and those that events name. */
  readonly keys: readonly EntityKey[];
  /** The events of the person. Some may not be stored yet, or not any more. */
  readonly events: readonly IndexedEvent[];
  /** Events that name the person and that an erasure keeps. */
  readonly kept: readonly IndexedEvent[];
  /** Onboardings that are not among the known ones, of externalIds that events state of the person. */
  readonly otherOnboardingIds: readonly string[];
  /** Persons whom events state for a verification that was known, and who are not among the known ones. */
  readonly otherPersonIds: readonly string[];
  /** Persons of whom events state one of the known onboardings. */
  readonly statedPersonIds: readonly string[];
};

/**
 * Finds what is stored of a person, only by the index of persons. An event can be the first to name a verification of the person, or a person
 * of the externalId: then the events that name that verification or person are found too. The cost depends on the person's events.
 */
export type FindPerson = (known: PersonKnown) => Promise<PersonFound>;

const readConcurrency = 10;

export function createFindPerson({
  personIndex,
  eventStore,
  profile,
}: {
  readonly personIndex: Pick<PersonIndex, 'find'>;
  readonly eventStore: Pick<EventStore, 'read'>;
  readonly profile: Pick<PlatformProfile, 'places'>;
}): FindPerson {
  return async (known) => {
    const found = startFrom(known);
    const looked = new Set<string>();
    for (let names = nextNames(found, looked); names !== undefined; names = nextNames(found, looked)) {
      const indexed = await personIndex.find(names);
      await mapConcurrent(indexed, readConcurrency, async (event) => {
        const before = found.events.get(event.eventId);
        // The same event under another name.
        const rows = [...(before?.rows ?? []), ...event.rows];
        found.events.set(event.eventId, { ...(before ?? (await judgeNow(event))), rows });
      });
      for (const { eventId } of indexed) learnFrom(found.events.get(eventId), found);
    }
    const all = [...found.events.values()];
    return {
      keys: [...found.keys.values()],
      // Whom an event names may have been found after the event.
      events: all.filter((event) => isTheirs(event, found)),
      kept: all.filter(({ of }) => of === 'business'),
      otherOnboardingIds: [...found.otherOnboardingIds],
      otherPersonIds: [...found.otherPersonIds].filter((id) => !found.ids.has(id)),
      statedPersonIds: [...found.statedPersonIds],
    };
  };

  /** The profile may say otherwise now than when the event was stored. */
  async function judgeNow(event: IndexedEvent): Promise<IndexedEvent> {
    // The type of the webhook in a record is in its body.
    if (event.eventType === undeliveredEventType) return event;
    if (onErasure(event.eventType, profile.places) === 'kept') return { ...event, of: 'business' };
    if (event.of !== 'business') return event;
    const row = await eventStore.read(event.eventId);
    if (row === undefined || row.erasedOn !== undefined) return event;
    const { subject } = await readSubject(row, profile, eventStore.read);
    return subject === 'erased in part' ? event : { ...event, ...statedPersonOf(subject) };
  }
}

/** The results so far. */
type Finding = {
  readonly keys: Map<string, EntityKey>;
  /** UUIDs in lower case. */
  readonly ids: Set<string>;
  readonly onboardingIds: ReadonlySet<string>;
  readonly events: Map<string, IndexedEvent>;
  readonly otherOnboardingIds: Set<string>;
  readonly otherPersonIds: Set<string>;
  readonly statedPersonIds: Set<string>;
};

function startFrom({ keys, onboardingIds }: PersonKnown): Finding {
  const found: Finding = {
    keys: new Map(),
    ids: new Set(),
    onboardingIds: new Set(onboardingIds),
    events: new Map(),
    otherOnboardingIds: new Set(),
    otherPersonIds: new Set(),
    statedPersonIds: new Set(),
  };
  for (const key of keys) learn(key, found);
  return found;
}

/** An entity is stored as its id was written first: in lower case, as a rule, or otherwise. */
function learn({ kind, id }: EntityKey, { keys, ids }: Finding): void {
  ids.add(lowerCaseUuid(id));
  for (const written of [id, lowerCaseUuid(id)]) {
    const key = { kind, id: written };
    keys.set(entityName(key), key);
  }
}

function learnFrom(event: IndexedEvent | undefined, found: Finding): void {
  const { of, naturalPersonId, identificationVerificationId, onboardingId } = event ?? {};
  if (naturalPersonId === undefined) return;
  const isKnown = (id: string | undefined) => id !== undefined && found.ids.has(lowerCaseUuid(id));
  if (of === 'natural-person') {
    if (onboardingId !== undefined && found.onboardingIds.has(onboardingId))
      found.statedPersonIds.add(lowerCaseUuid(naturalPersonId));
    else if (!isKnown(naturalPersonId)) return;
    else if (onboardingId !== undefined) found.otherOnboardingIds.add(onboardingId);
    learn({ kind: 'natural-person', id: naturalPersonId }, found);
  }
  if (of === 'identification-verification') {
    if (!isKnown(naturalPersonId)) found.otherPersonIds.add(lowerCaseUuid(naturalPersonId));
    else if (identificationVerificationId !== undefined)
      learn({ kind: 'identification-verification', id: identificationVerificationId }, found);
  }
}

/** The names to look up next; undefined once all are looked up. */
function nextNames({ ids, onboardingIds }: Finding, looked: Set<string>): PersonIds | undefined {
  const isNew = (name: string) => !looked.has(name);
  const names = { ids: [...ids].filter(isNew), onboardingIds: [...onboardingIds].filter(isNew) };
  for (const name of [...names.ids, ...names.onboardingIds]) looked.add(name);
  return names.ids.length + names.onboardingIds.length > 0 ? names : undefined;
}

/** A body that states its person belongs to that person; any other belongs to each person that it names. */
function isTheirs(event: IndexedEvent, { ids, onboardingIds }: Finding): boolean {
  const { of, naturalPersonId, identificationVerificationId, onboardingId } = event;
  if (of === 'whom it names' || of === 'unread') return true;
  if (of === 'business') return false;
  const isKnown = (id: string | undefined) => id !== undefined && ids.has(lowerCaseUuid(id));
  if (of === 'identification-verification') return isKnown(naturalPersonId) || isKnown(identificationVerificationId);
  return isKnown(naturalPersonId) || (onboardingId !== undefined && onboardingIds.has(onboardingId));
}

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

const eraseConcurrency = 10;

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
      await mapConcurrent(items, eraseConcurrency, async (item) => {
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
        await mapConcurrent(others, eraseConcurrency, eventStore.erase);
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

/** An event in quarantine whose body cannot be read. */
export type UnreadEvent = { readonly eventId: string; readonly eventType: string };

/**
 * Finds the events in quarantine that cannot be read and have one of these names as a whole word. UUIDs in them are found by the index
 * of persons. Reads the latest 20,000 events in quarantine, as far as there is time: older ones, and ids that are not words, are left to
 * `unreadRetentionDays`.
 *
 * @param mayContinue is called before each read of an event
 */
export type FindUnread = (names: PersonIds, mayContinue: () => boolean) => Promise<readonly UnreadEvent[]>;

/** Few reads for a usual quarantine, and a bound for a flood. */
const [pageSize, maxPages] = [1_000, 20];

const unreadConcurrency = 25;

/** The quarantine reasons of events that may be unreadable. */
const unreadReasons = /^(?:NOT_JSON|NESTED_TOO_DEEP|UNDELIVERED_.+)$/;

export function createFindUnread({
  listQuarantined,
  eventStore,
  profile,
}: {
  readonly listQuarantined: ListEvents;
  readonly eventStore: Pick<EventStore, 'read'>;
  readonly profile: Pick<PlatformProfile, 'places'>;
}): FindUnread {
  /** The event if it cannot be read and has one of the names. */
  async function judge(eventId: string, ids: ReadonlySet<string>, onboardingIds: ReadonlySet<string>) {
    const row = await eventStore.read(eventId);
    if (row === undefined || row.erasedOn !== undefined) return undefined;
    const { subject, body } = await readSubject(row, profile, eventStore.read);
    if (subject === 'erased in part' || subject.of !== 'unread') return undefined;
    const { isOfPersons } = subject;
    const isTheirs = (word: string) => ids.has(word) || (isOfPersons && onboardingIds.has(onboardingIdOf(word)));
    return [...wordsIn(body)].some(isTheirs) ? { eventId, eventType: row.eventType } : undefined;
  }

  return async (names, mayContinue) => {
    const [ids, onboardingIds] = [new Set(names.ids), new Set(names.onboardingIds)];
    const found: UnreadEvent[] = [];
    let after: Awaited<ReturnType<ListEvents>>['next'];
    for (let pages = 0; pages < maxPages && mayContinue(); pages += 1) {
      const { rows, next } = await listQuarantined({ filter: {}, limit: pageSize, after });
      const unread = rows.filter(({ quarantineReason = '' }) => unreadReasons.test(quarantineReason));
      await mapConcurrent(unread, unreadConcurrency, async ({ eventId }) => {
        const event = mayContinue() ? await judge(eventId, ids, onboardingIds) : undefined;
        if (event !== undefined) found.push(event);
      });
      if (next === undefined) break;
      after = next;
    }
    return found;
  };
}
