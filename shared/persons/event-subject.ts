import type { EntityKey } from '#shared/entities/entity-row.ts';
import { findEntity, idIn } from '#shared/entities/place-event.ts';
import { undeliveredEventType } from '#shared/events/event.ts';
import type { EventRow } from '#shared/events/event-row.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { JsonTextError, type ReadJson, readJsonText } from '#shared/events/json-text.ts';
import { readKeptRecord } from '#shared/events/kept-record.ts';
import { type ReadBackAnswer, readStoredReadBack } from '#shared/events/read-back.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { type Fields, isObject, own, parseJsonExactly } from '#shared/parse-json.ts';
import {
  answerFieldsOf,
  type EntityFields,
  type EntityKind,
  onErasure,
  placeOf,
  resourcesIn,
} from '#shared/platform/profile/event-place.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import type { IndexEntry, StatedPerson } from './person-index.ts';

/** A limit, since each id is looked up, and is a row of the index: a list of prices may hold thousands of UUIDs. */
const most = 100;

/**
 * What may be the platform's id of a person or of a verification: the values of fields whose names say so, if the body is JSON, and every
 * UUID, in every place of any text. The first 100. They may be personal data.
 */
export function identifiersIn(body: Uint8Array): readonly string[] {
  const text = Buffer.from(body).toString();
  const ids = new Set(
    valuesOf(text, /(?:person|verification)id$|^(?:natural)?person$|^(?:identification)?verification$/i),
  );
  for (const [uuid] of text.matchAll(/[\da-f]{8}(?:-[\da-f]{4,12}){4}/gi)) {
    if (ids.size >= most) break;
    ids.add(uuid.toLowerCase());
  }
  return [...ids].slice(0, most);
}

/** The platform's ids of the persons to whom a record of business refers: the first 100. */
export function personIdsIn(body: Uint8Array): readonly string[] {
  return [...valuesOf(Buffer.from(body).toString(), /personid$/i)].slice(0, most);
}

const id = /^[a-z\d][\w.~:-]{0,127}$/i;

/** The ids in fields of these names, in every place, also of JSON that is a text in other JSON. Without recursion. */
function valuesOf(text: string, names: RegExp): ReadonlySet<string> {
  const ids = new Set<string>();
  const left: [name: string, value: unknown][] = [['', parseJsonExactly(text)]];
  for (const [name, value] of left) {
    const written = typeof value === 'number' ? String(value) : value;
    if (typeof written === 'string' && names.test(name) && id.test(written)) ids.add(written);
    if (typeof value === 'string' && /^\s*[[{]/.test(value)) left.push([name, parseJsonExactly(value)]);
    // What stands in a list has the name of the list.
    else if (Array.isArray(value)) for (const item of value) left.push([name, item]);
    // The id of an object is that of what its field names.
    else if (isObject(value))
      for (const [key, item] of Object.entries(value)) left.push([key === 'id' ? name : key, item]);
  }
  return ids;
}

/**
 * The words of a text that is not JSON: what stands between white space, quotes, backslashes and the punctuation of JSON, XML and URLs. An id with
 * such a character in it is not a word.
 */
export function wordsIn(body: Uint8Array): ReadonlySet<string> {
  return new Set(
    Buffer.from(body)
      .toString()
      .match(/[^\s"'\\,:;{}[\]<>()=&/]+/g),
  );
}

/**
 * The person of the verification or transfer in a body, from a webhook (docs/reference/platform.md) or read back; undefined if it
 * does not say so. Of the body nothing else is taken: it holds personal data.
 *
 * @param kind a verification or a transfer
 * @param body of an event that speaks of it
 * @param places of the platform profile
 */
export function personOf(kind: EntityKind, body: Uint8Array, places: PlatformProfile['places']): string | undefined {
  const json = parseJsonExactly(Buffer.from(body).toString());
  return idIn(resourcesIn(json, answerFieldsOf(kind, places).wrappers), ['naturalPersonId']);
}

/**
 * The entity that a stored event has had an effect on, as `store` finds it; undefined if the event speaks of none, and in quarantine.
 *
 * @param body of the event, inflated
 */
export function entityOfEvent(
  { eventType, quarantineReason }: Pick<EventRow, 'eventType' | 'quarantineReason'>,
  body: Uint8Array,
  profile: Pick<PlatformProfile, 'places'>,
): EntityKey | undefined {
  if (quarantineReason !== undefined) return undefined;
  const place = placeOf(eventType, profile.places);
  if (place === 'stored and published') return undefined;
  // Whatever its status: what is a status now is not what it was when the event had its effect.
  const found = findEntity(parseJsonExactly(Buffer.from(body).toString('utf8')), place);
  return found && { kind: place.kind, id: found.id };
}

/**
 * The person of an event, as its body states it. An erasure removes only the events of its person: the erasure uses this type, and so
 * does `store`, which receives late events.
 */
export type Subject =
  /** A record of business, or of a customer that is not a natural person: kept, with every person that the body names. */
  | { readonly of: 'business' }
  /** A natural person: only this person's, even when the body names others. */
  | { readonly of: 'natural-person'; readonly id: string; readonly externalId: string | undefined }
  /** A verification of this natural person. */
  | {
      readonly of: 'identification-verification';
      readonly id: string | undefined;
      readonly naturalPersonId: string;
    }
  /** Not stated, or stated twice: the event belongs to each person that the body names. The externalIds are those of natural persons. */
  | { readonly of: 'whom it names'; readonly externalIds: readonly string[] }
  /**
   * Not JSON, or JSON that cannot be read as far as is needed: the event belongs to each person whose UUID is in it. Another id counts as a whole word, and an
   * externalId only if the type speaks of natural persons.
   */
  | { readonly of: 'unread'; readonly isOfPersons: boolean };

const business: Subject = { of: 'business' };

/**
 * Finds the person of an event, in quarantine or not: only the body counts.
 *
 * An externalId counts only as that of a natural person: in the resource of a type that speaks of natural persons, in an
 * object of a field `naturalPerson` or `person`, and in an object that has a `naturalPersonStatus`. The externalIds of orders,
 * customers and others are numbered by themselves, and may well be the same.
 *
 * @param json what the body says, for a caller that has parsed it
 */
export function subjectOf(
  eventType: string,
  body: Uint8Array,
  profile: Pick<PlatformProfile, 'places'>,
  json?: ReadJson,
): Subject {
  if (eventType === undeliveredEventType) return subjectOfRecord(body, profile);
  if (onErasure(eventType, profile.places) === 'kept') return business;
  const place = placeOf(eventType, profile.places);
  const read = json ?? readJsonText(body);
  const isOfPersons = typeof place === 'object' && place.kind === 'natural-person';
  if (read instanceof JsonTextError) return { of: 'unread', isOfPersons };
  const { value, hasDuplicateKeys } = read;
  if (hasDuplicateKeys)
    return { of: 'whom it names', externalIds: externalIdsOfPersons(value, isOfPersons ? place : undefined) };
  if (typeof place === 'string') return { of: 'whom it names', externalIds: externalIdsOfPersons(value) };
  const found = findEntity(value, place);
  if (place.kind === 'natural-person') {
    if (found === undefined) return { of: 'whom it names', externalIds: externalIdsOfPersons(value, place) };
    const [externalId] = [found.resource, ...found.resources].flatMap((resource) => externalIdIn(resource) ?? []);
    return { of: 'natural-person', id: found.id, externalId };
  }
  const naturalPersonId = idIn(
    [...(found ? [found.resource] : []), ...resourcesIn(value, place.wrappers)],
    ['naturalPersonId'],
  );
  if (naturalPersonId === undefined) return { of: 'whom it names', externalIds: externalIdsOfPersons(value) };
  return { of: 'identification-verification', id: found?.id, naturalPersonId };
}

/** The subject of an undelivered webhook that is stored as a whole record: that of the webhook in it. */
function subjectOfRecord(body: Uint8Array, profile: Pick<PlatformProfile, 'places'>): Subject {
  const json = readJsonText(body);
  if (json instanceof JsonTextError) return { of: 'unread', isOfPersons: false };
  // The key that counts is not known if one stands twice.
  const record = json.hasDuplicateKeys ? undefined : json.value;
  const webhook = isObject(record) ? own(record, 'webhook') : undefined;
  const inner = isObject(record) ? own(record, 'body') : undefined;
  const innerType = isObject(webhook) ? own(webhook, 'eventType') : undefined;
  const eventType = typeof innerType === 'string' && innerType !== undeliveredEventType ? innerType : '';
  if (onErasure(eventType, profile.places) === 'kept') return business;
  if (typeof inner !== 'string') return { of: 'whom it names', externalIds: externalIdsOfPersons(record) };
  return subjectOf(eventType, Buffer.from(inner), profile);
}

const personFields: ReadonlySet<string> = new Set(['naturalPerson', 'naturalPersons', 'person', 'persons']);

/**
 * The externalIds of objects that are natural persons, in every place. Without recursion.
 *
 * @param place of a type that speaks of natural persons: then its resource is one
 */
function externalIdsOfPersons(value: unknown, place?: EntityFields): readonly string[] {
  const resources = place === undefined ? [] : resourcesIn(value, place.wrappers);
  const found = new Set(resources.flatMap((resource) => externalIdIn(resource) ?? []));
  const left: [key: string, value: unknown][] = [['', value]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [key, one] = next;
    // What stands in a list has the name of the list.
    if (Array.isArray(one)) for (const item of one) left.push([key, item]);
    else if (isObject(one)) {
      const externalId =
        personFields.has(key) || Object.hasOwn(one, 'naturalPersonStatus') ? externalIdIn(one) : undefined;
      if (externalId !== undefined) found.add(externalId);
      for (const entry of Object.entries(one)) left.push(entry);
    }
  }
  return [...found];
}

function externalIdIn(resource: Fields): string | undefined {
  const externalId = own(resource, 'externalId');
  return typeof externalId === 'string' || typeof externalId === 'number' ? String(externalId) : undefined;
}

/** What a stored event says of persons. */
export type StoredSubject = {
  /** `erased in part`: a piece of a record of which another piece is erased. */
  readonly subject: Subject | 'erased in part';
  /** The body; for a record in pieces, the whole record. */
  readonly body: Uint8Array;
  /** The events of the other pieces, if the record is kept in pieces. */
  readonly otherPieces: readonly string[];
};

/** The fields from which the subject of an event is read. */
export type SubjectRow = Pick<EventRow, 'eventId' | 'eventType' | 'deflatedBody'>;

/**
 * Reads the subject of a stored event.
 *
 * @param read reads the event whole, and the other pieces of its record
 */
export async function readSubject(
  row: SubjectRow,
  profile: Pick<PlatformProfile, 'places'>,
  read: EventStore['read'],
): Promise<StoredSubject> {
  const body = inflateBody(row.deflatedBody);
  const byItself = { body, otherPieces: [] };
  if (row.eventType !== undeliveredEventType) {
    const answer = readStoredReadBack(row);
    const subject = answer === undefined ? subjectOf(row.eventType, body, profile) : subjectOfAnswer(answer);
    return { ...byItself, subject };
  }
  const whole = await read(row.eventId);
  if (whole === undefined) return { ...byItself, subject: { of: 'business' } };
  const record = await readKeptRecord(whole, read);
  if (record.is === 'later piece') return { ...byItself, subject: { of: 'business' } };
  if (record.is === 'erased in part') return { ...byItself, subject: record.is, otherPieces: record.others };
  return {
    subject: subjectOf(row.eventType, record.body, profile),
    body: record.body,
    otherPieces: record.others,
  };
}

/** What the platform answered about a transfer is a record of business, as the transfer is. */
export function subjectOfAnswer({ kind, id, naturalPersonId }: ReadBackAnswer): Subject {
  if (kind === 'transfer') return { of: 'business' };
  if (kind === 'natural-person') return { of: kind, id, externalId: undefined };
  return naturalPersonId === undefined ? { of: 'whom it names', externalIds: [] } : { of: kind, id, naturalPersonId };
}

/** The most externalIds of one body that are indexed: each costs a look-up. */
const maxExternalIds = 20;

/** The names by which the index of persons finds an event. */
export function namesOf(subject: Subject, body: Uint8Array): IndexEntry {
  const statedPerson = statedPersonOf(subject);
  const names = { statedPerson, isUnread: subject.of === 'unread', onboardingIds: [] };
  switch (subject.of) {
    case 'business':
      return { ...names, ids: personIdsIn(body) };
    case 'natural-person': {
      const { onboardingId } = statedPerson;
      return { ...names, ids: [subject.id], onboardingIds: onboardingId === undefined ? [] : [onboardingId] };
    }
    case 'identification-verification': {
      const { id, naturalPersonId } = subject;
      return { ...names, ids: id === undefined ? [naturalPersonId] : [naturalPersonId, id] };
    }
    case 'unread':
      return { ...names, ids: identifiersIn(body) };
    case 'whom it names': {
      const onboardingIds = subject.externalIds.slice(0, maxExternalIds).map(onboardingIdOf);
      return { ...names, ids: identifiersIn(body), onboardingIds };
    }
  }
}

/** Which person an event belongs to, as the index of persons stores it. */
export function statedPersonOf(subject: Subject): StatedPerson {
  if (subject.of === 'natural-person') {
    const { id, externalId } = subject;
    const onboardingId = externalId === undefined ? undefined : onboardingIdOf(externalId);
    return { of: subject.of, naturalPersonId: id, onboardingId };
  }
  if (subject.of !== 'identification-verification') return { of: subject.of };
  return { of: subject.of, naturalPersonId: subject.naturalPersonId, identificationVerificationId: subject.id };
}
