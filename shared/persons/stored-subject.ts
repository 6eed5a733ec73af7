import { undeliveredEventType } from '#shared/events/event.ts';
import type { EventRow } from '#shared/events/event-row.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { readKeptRecord } from '#shared/events/kept-record.ts';
import { type ReadBackAnswer, readStoredReadBack } from '#shared/events/read-back.ts';
import { identifiersIn, personIdsIn, type Subject, subjectOf } from '#shared/events/subject/subject-of.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import type { PersonNames, Statement } from '#shared/persons/person-index.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';

/** What a stored event says of persons. */
export type StoredSubject = {
  /** `erased in part`: a piece of a record of which another piece is erased. */
  readonly subject: Subject | 'erased in part';
  /** What it says, of a record in pieces all of it. */
  readonly body: Uint8Array;
  /** Of a record that is kept in pieces: the events of the other pieces. */
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

/** What the index of persons has of an event, and whether the event is kept for a shorter time. */
export type EventNames = PersonNames & { readonly statement: Statement; readonly isUnread: boolean };

/** Of externalIds of natural persons whom one body names: each is looked up. */
const maxExternalIds = 20;

/** The names by which the index of persons finds an event. */
export function namesOf(subject: Subject, body: Uint8Array): EventNames {
  const statement = statementOf(subject);
  const names = { statement, isUnread: subject.of === 'unread', onboardingIds: [] };
  switch (subject.of) {
    case 'business':
      return { ...names, ids: personIdsIn(body) };
    case 'natural-person': {
      const { onboardingId } = statement;
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

/** Whose an event is, as the index of persons has it. */
export function statementOf(subject: Subject): Statement {
  if (subject.of === 'natural-person') {
    const { id, externalId } = subject;
    const onboardingId = externalId === undefined ? undefined : onboardingIdOf(externalId);
    return { of: subject.of, naturalPersonId: id, onboardingId };
  }
  if (subject.of !== 'identification-verification') return { of: subject.of };
  return { of: subject.of, naturalPersonId: subject.naturalPersonId, identificationVerificationId: subject.id };
}
