import type { EntityKey } from '#shared/entities/entity-row.ts';
import { undeliveredEventType } from '#shared/events/event.ts';
import type { EventBodies, EventBody } from '#shared/events/event-bodies.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { readKeptRecord } from '#shared/events/kept-record.ts';
import { type ReadBackAnswer, readStoredReadBack } from '#shared/events/read-back.ts';
import { type Subject, subjectOf } from '#shared/events/subject/subject-of.ts';
import { walkLanes } from '#shared/events/walk-lanes.ts';
import { deflateBody, inflateBody } from '#shared/events/webhook-delivery.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { onErasure } from '#shared/platform/profile/on-erasure.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { createIsAboutPerson, lowerCaseUuid } from './is-about-person.ts';

export type EraseEventsDeps = {
  readonly bodies: EventBodies;
  readonly eventStore: Pick<EventStore, 'read' | 'erase'>;
  readonly profile: Pick<PlatformProfile, 'places'>;
  readonly now: () => Date;
};

/** What a person is known by: its externalId, and the platform's ids of it and of its verifications. */
export type PersonNames = { readonly externalId: string; readonly ids: readonly string[] };

/** How far the lanes of the table have been looked through: of each its last event, or that it is not begun, or over. */
const place = /^(?:begin|end|[\da-f]{64})(?:\.(?:begin|end|[\da-f]{64})){0,63}$/;

/** Whether it can be what an erasure has answered. */
export function isPlace(text: string): boolean {
  return place.test(text);
}

const erasureConcurrency = 10;
const readConcurrency = 10;

/**
 * Erases the bodies of all events that are the person's and that no entity known to be the person's knows of: those in
 * quarantine, and those of types that speak of no entity. `subjectOf` says whose an event is. Looks through the whole table,
 * since nothing else says which.
 *
 * The walk stops at a verification of the person that the caller has not named: an event that the walk has passed may name
 * that verification alone. The events that state the person of the verification stay until the caller names it.
 *
 * The person itself must be erased before: `store` recognizes every later event as one of an erased person.
 *
 * @param from where an erasure before it has stopped
 * @param until in milliseconds since 1970: when it is to stop
 */
export type EraseEvents = (names: PersonNames, from: string | undefined, until: number) => Promise<EventsErased>;

export type EventsErased = {
  /**
   * Persons that have the externalId, and verifications of the person, that are not among the ids. The walk stopped there: the
   * caller is to name them, and to search all events again.
   */
  readonly unnamed: readonly EntityKey[];
  /** Where to continue; undefined once all events are searched. */
  readonly continueFrom: string | undefined;
};

export function createEraseEvents(deps: EraseEventsDeps): EraseEvents {
  const { bodies, eventStore, profile, now } = deps;

  return async (names, continuedFrom, until) => {
    const isPersons = createIsPersons(names);
    const places = continuedFrom?.split('.') ?? [];
    const unnamed = new Map<string, EntityKey>();
    const from = Array.from({ length: bodies.lanes }, (_, lane) => places[lane] ?? 'begin');
    const walked = await walkLanes(bodies, from, {
      mayGoOn: () => unnamed.size === 0 && now().getTime() < until,
      onPage: async ({ events }) => {
        const read = await mapConcurrent(events, readConcurrency, readEvent);
        for (const { subject } of read) {
          const key = unnamedIn(subject, names);
          if (key !== undefined) unnamed.set(`${key.kind} ${key.id}`, key);
        }
        // Those bodies are all that says whose the entities are.
        if (unnamed.size > 0) return 'stay';
        const persons = read.filter(({ event, subject }) => subject === 'erased in part' || isPersons(subject, event));
        await mapConcurrent(persons, erasureConcurrency, erase);
        return undefined;
      },
    });
    const isOver = walked.every((at) => at === 'end');
    return { unnamed: [...unnamed.values()], continueFrom: isOver ? undefined : walked.join('.') };
  };

  async function erase({ event, otherPieces }: ReadEvent): Promise<void> {
    await mapConcurrent(otherPieces, erasureConcurrency, eventStore.erase);
    await eventStore.erase(event.eventId);
  }

  /** An event with its subject; of a record that is kept in pieces, the first piece has all of it. */
  async function readEvent(event: EventBody): Promise<ReadEvent> {
    const row = event.eventType === undeliveredEventType ? await eventStore.read(event.eventId) : undefined;
    if (row === undefined) return { event, subject: subjectOfEvent(event), otherPieces: [] };
    const record = await readKeptRecord(row, eventStore.read);
    if (record.is === 'later piece') return { event, subject: { of: 'business' }, otherPieces: [] };
    if (record.is === 'erased in part') return { event, subject: record.is, otherPieces: record.others };
    const whole = { ...event, deflatedBody: deflateBody(record.body) };
    return { event: whole, subject: subjectOf(event.eventType, record.body, profile), otherPieces: record.others };
  }

  function subjectOfEvent(event: EventBody): Subject {
    const answer = readStoredReadBack(event);
    if (answer !== undefined) return subjectOfAnswer(answer);
    // Not worth inflating.
    if (onErasure(event.eventType, profile.places) === 'kept') return { of: 'business' };
    return subjectOf(event.eventType, inflateBody(event.deflatedBody), profile);
  }
}

type ReadEvent = {
  readonly event: EventBody;
  readonly subject: Subject | 'erased in part';
  readonly otherPieces: readonly string[];
};

/** What the platform answered about a transfer is a record of business, as the transfer is. */
function subjectOfAnswer({ kind, id, naturalPersonId }: ReadBackAnswer): Subject {
  if (kind === 'transfer') return { of: 'business' };
  if (kind === 'natural-person') return { of: kind, id, externalId: undefined };
  return naturalPersonId === undefined ? { of: 'whom it names', externalIds: [] } : { of: kind, id, naturalPersonId };
}

type IsPersons = (subject: Subject, event: EventBody) => boolean;

function createIsPersons({ externalId, ids }: PersonNames): IsPersons {
  const namesId = createIsAboutPerson(ids);
  const known = new Set(ids.map(lowerCaseUuid));
  const isKnown = (id: string | undefined) => id !== undefined && known.has(lowerCaseUuid(id));
  return (subject, { deflatedBody }) => {
    if (subject.of === 'business') return false;
    if (subject.of === 'natural-person') return isKnown(subject.id);
    if (subject.of === 'identification-verification') return isKnown(subject.naturalPersonId) || isKnown(subject.id);
    return subject.externalIds.includes(externalId) || namesId(inflateBody(deflatedBody));
  };
}

/** A person of the externalId, or a verification of the person, that is not among the ids. */
function unnamedIn(subject: ReadEvent['subject'], { externalId, ids }: PersonNames): EntityKey | undefined {
  if (subject === 'erased in part') return undefined;
  const isNamed = (id: string | undefined) =>
    id !== undefined && ids.some((named) => lowerCaseUuid(named) === lowerCaseUuid(id));
  if (subject.of === 'natural-person')
    return subject.externalId !== externalId || isNamed(subject.id) ? undefined : { kind: subject.of, id: subject.id };
  if (subject.of !== 'identification-verification' || subject.id === undefined) return undefined;
  return isNamed(subject.naturalPersonId) && !isNamed(subject.id) ? { kind: subject.of, id: subject.id } : undefined;
}
