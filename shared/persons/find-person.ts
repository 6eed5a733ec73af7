import type { EntityKey } from '#shared/entities/entity-row.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import type { Subject } from '#shared/events/subject/subject-of.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { readSubject } from '#shared/persons/stored-subject.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { lowerCaseUuid, type NamedEvent, type PersonIndex, type PersonNames } from './person-index.ts';

/** What a person is known by: its entity and those of its verifications, and the onboardings of its externalIds. */
export type PersonKnown = { readonly keys: readonly EntityKey[]; readonly onboardingIds: readonly string[] };

/** An event of the person that has a body still. */
export type PersonEvent = {
  readonly eventId: string;
  readonly eventType: string;
  /** Of a record that is kept in pieces: the events of the other pieces. */
  readonly otherPieces: readonly string[];
};

/** What is stored of a person. */
export type PersonFound = {
  /** The entities of the person and of its verifications: those that were known, and those that events name. */
  readonly keys: readonly EntityKey[];
  readonly events: readonly PersonEvent[];
  /** The same in the index, with those that have no body any more. */
  readonly indexed: readonly NamedEvent[];
  /** Events that name the person and that an erasure keeps. */
  readonly kept: readonly NamedEvent[];
  /** Onboardings that are not among the known ones, of externalIds that events state of the person. */
  readonly otherOnboardingIds: readonly string[];
  /** Persons whom events state for a verification that was known, and who are not among the known ones. */
  readonly otherPersonIds: readonly string[];
  /** Whether time was enough to read each event. */
  readonly isComplete: boolean;
};

export type FindPersonDeps = {
  readonly personIndex: Pick<PersonIndex, 'find'>;
  readonly eventStore: Pick<EventStore, 'read'>;
  readonly profile: Pick<PlatformProfile, 'places'>;
};

/**
 * Finds what is stored of a person, by the index of persons. An event can name what nobody has named before, such as a verification, or a
 * person of an externalId: then what names that is the person's too. The cost depends on the person's events alone.
 *
 * @param mayGoOn is asked before each read of an event
 */
export type FindPerson = (known: PersonKnown, mayGoOn?: () => boolean) => Promise<PersonFound>;

const readConcurrency = 10;

export function createFindPerson({ personIndex, eventStore, profile }: FindPersonDeps): FindPerson {
  return async (known, mayGoOn = () => true) => {
    const found = startFrom(known);
    const looked = new Set<string>();
    const seen = new Set<string>();
    let isComplete = true;
    for (let names = namesOf(found, looked); names !== undefined; names = namesOf(found, looked)) {
      const indexed = (await personIndex.find(names)).filter(({ eventId }) => !seen.has(eventId));
      for (const { eventId } of indexed) seen.add(eventId);
      await mapConcurrent(indexed, readConcurrency, async (event) => {
        if (event.isKept) found.kept.push(event);
        else if (mayGoOn()) await judge(event, found);
        else isComplete = false;
      });
    }
    // Whom an event names may have been found after the event was read.
    const events = found.read.filter(({ subject }) => isTheirs(subject, found));
    return {
      keys: [...found.keys.values()],
      events: events.map(({ event }) => event),
      indexed: found.indexed.filter(({ eventId }) => !isOthers(eventId, found)),
      kept: found.kept,
      otherOnboardingIds: [...found.otherOnboardingIds],
      otherPersonIds: [...found.otherPersonIds].filter((id) => !found.ids.has(id)),
      isComplete,
    };
  };

  async function judge(event: NamedEvent, found: Finding): Promise<void> {
    const { eventId } = event;
    found.indexed.push(event);
    const row = await eventStore.read(eventId);
    if (row === undefined || row.erasedOn !== undefined) return;
    const { subject, otherPieces } = await readSubject(row, profile, eventStore.read);
    found.read.push({ subject, event: { eventId, eventType: row.eventType, otherPieces } });
    if (subject === 'erased in part') return;
    if (subject.of === 'natural-person') learnPerson(subject, found);
    if (subject.of === 'identification-verification') learnVerification(subject, found);
  }
}

/** What is known so far, while it is being found. */
type Finding = {
  readonly keys: Map<string, EntityKey>;
  /** UUIDs in lower case. */
  readonly ids: Set<string>;
  readonly onboardingIds: ReadonlySet<string>;
  readonly read: { readonly subject: Subject | 'erased in part'; readonly event: PersonEvent }[];
  readonly indexed: NamedEvent[];
  readonly kept: NamedEvent[];
  readonly otherOnboardingIds: Set<string>;
  readonly otherPersonIds: Set<string>;
};

function startFrom({ keys, onboardingIds }: PersonKnown): Finding {
  const found: Finding = {
    keys: new Map(),
    ids: new Set(),
    onboardingIds: new Set(onboardingIds),
    read: [],
    indexed: [],
    kept: [],
    otherOnboardingIds: new Set(),
    otherPersonIds: new Set(),
  };
  for (const key of keys) learn(key, found);
  return found;
}

function learn(key: EntityKey, { keys, ids }: Finding): void {
  const id = lowerCaseUuid(key.id);
  ids.add(id);
  const name = `${key.kind}#${id}`;
  if (!keys.has(name)) keys.set(name, key);
}

function learnPerson({ id, externalId }: Extract<Subject, { of: 'natural-person' }>, found: Finding): void {
  const onboardingId = externalId === undefined ? undefined : onboardingIdOf(externalId);
  const isOwn = onboardingId !== undefined && found.onboardingIds.has(onboardingId);
  if (isOwn) learn({ kind: 'natural-person', id }, found);
  else if (onboardingId !== undefined && found.ids.has(lowerCaseUuid(id))) found.otherOnboardingIds.add(onboardingId);
}

function learnVerification(subject: Extract<Subject, { of: 'identification-verification' }>, found: Finding): void {
  const { id, naturalPersonId } = subject;
  if (!found.ids.has(lowerCaseUuid(naturalPersonId))) found.otherPersonIds.add(lowerCaseUuid(naturalPersonId));
  else if (id !== undefined) learn({ kind: 'identification-verification', id }, found);
}

/** What is to be looked up next; undefined once everything is. */
function namesOf({ ids, onboardingIds }: Finding, looked: Set<string>): PersonNames | undefined {
  const isNew = (name: string) => !looked.has(name);
  const names = { ids: [...ids].filter(isNew), onboardingIds: [...onboardingIds].filter(isNew) };
  for (const name of [...names.ids, ...names.onboardingIds]) looked.add(name);
  return names.ids.length + names.onboardingIds.length > 0 ? names : undefined;
}

/** A body that states its person is that person's; any other is each person's whom it names. */
function isTheirs(subject: Subject | 'erased in part', { ids, onboardingIds }: Finding): boolean {
  if (subject === 'erased in part' || subject.of === 'whom it names' || subject.of === 'unread') return true;
  if (subject.of === 'business') return false;
  const isKnown = (id: string | undefined) => id !== undefined && ids.has(lowerCaseUuid(id));
  if (subject.of === 'identification-verification') return isKnown(subject.naturalPersonId) || isKnown(subject.id);
  return (
    isKnown(subject.id) || (subject.externalId !== undefined && onboardingIds.has(onboardingIdOf(subject.externalId)))
  );
}

/** Whether an event was read that turned out to be somebody else's. */
function isOthers(eventId: string, found: Finding): boolean {
  return found.read.some(({ event, subject }) => event.eventId === eventId && !isTheirs(subject, found));
}
