import * as z from 'zod/mini';
import { checkRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { isPlace } from '#functions/onboarding/erase-person/erase-events.ts';
import { createIsAboutPerson } from '#functions/onboarding/erase-person/is-about-person.ts';
import { differingFields } from '#functions/onboarding/observe/compare-person.ts';
import { readUndelivered } from '#functions/retry-undelivered/drain/undelivered-record.ts';
import { readReplayRun } from '#functions/webhook-ingest/replay/replay-run.ts';
import { placeEvent } from '#shared/entities/place-event.ts';
import { identifyEvent, undeliveredEventType } from '#shared/events/event.ts';
import { readReadBack } from '#shared/events/read-back.ts';
import { identifiersIn } from '#shared/events/subject/identifiers-in.ts';
import { personOf } from '#shared/events/subject/person-of.ts';
import { subjectOf } from '#shared/events/subject/subject-of.ts';
import { deflateBody, inflateBody, readWebhookMessage } from '#shared/events/webhook-delivery.ts';
import { cursorTrail, followTrail, trailhead } from '#shared/platform/client/cursor-trail.ts';
import { listElements } from '#shared/platform/client/list-elements.ts';
import { pageOf, readPage } from '#shared/platform/client/page.ts';
import { toHttpError } from '#shared/platform/client/read-http-error.ts';
import { parseUntrusted } from '#shared/platform/fields/parse-untrusted.ts';
import { compareTimestamps, timestamp } from '#shared/platform/fields/timestamp.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { naturalPerson } from '#shared/platform/resources/natural-person.ts';
import { naturalPersonBodies, storedNewNaturalPerson } from '#shared/platform/resources/natural-person-schema.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

/** Something in functions/ or shared/ that reads what the platform or the partner has written. */
export type Reader = {
  readonly name: string;
  readonly read: (text: string) => void;
  /** Whether it walks the text by code of ours, parses it as a document, or gets it as the value of a field. */
  readonly kind: 'scanner' | 'document' | 'field';
};

const profile = platformProfile.parse({});
const now = new Date('2026-07-01T00:00:00Z');
const request = { operation: 'List', method: 'GET', path: '/list' } as const;
const anything = pageOf(z.unknown());
const persons = pageOf(naturalPerson);
const { naturalPersonUpdate } = naturalPersonBodies(profile.additionalFields);
const naturalPersonId = '9b2c7e54-0f3a-4e0e-8f5d-2f6f3a1b7c11';
const namesPerson = createIsAboutPerson([naturalPersonId, 'person-1']);

/** A refusal is an answer: what counts is the time that it takes. */
function refusing(read: (text: string) => void): (text: string) => void {
  return (text) => {
    try {
      read(text);
    } catch {
      // Refused.
    }
  };
}

const scanner = (name: string, read: (text: string) => void): Reader => ({
  name,
  read: refusing(read),
  kind: 'scanner',
});
const document = (name: string, read: (text: string) => void): Reader => ({
  name,
  read: refusing(read),
  kind: 'document',
});
const field = (name: string, read: (text: string) => void): Reader => ({ name, read: refusing(read), kind: 'field' });

export const readers: readonly Reader[] = [
  scanner('identifiersIn', (text) => identifiersIn(Buffer.from(text))),
  scanner('createIsAboutPerson', (text) => namesPerson(Buffer.from(text))),
  document('personOf', (text) => personOf(Buffer.from(text))),
  scanner('subjectOf', (text) => {
    for (const eventType of ['NATURAL_PERSON_NOTIFICATION', 'CUSTOMER_NOTIFICATION', undeliveredEventType])
      subjectOf(eventType, Buffer.from(text), profile);
  }),
  scanner('identifyEvent', (text) => identifyEvent('NATURAL_PERSON_NOTIFICATION', Buffer.from(text), profile)),
  document('placeEvent', (text) => {
    placeEvent('TRANSFER_NOTIFICATION', { id: text, status: text, modifiedOn: text }, profile);
    placeEvent('TRANSFER_NOTIFICATION', JSON.parse(text), profile);
  }),
  document('inflateBody', (text) => inflateBody(deflateBody(Buffer.from(text)))),
  document('readWebhookMessage of a message', (text) => readWebhookMessage(text)),
  field('readWebhookMessage of a delivery', (text) =>
    readWebhookMessage(JSON.stringify({ deliveryId: text, eventType: text, receivedOn: text, deflatedBody: text })),
  ),
  field('readReadBack', (text) => readReadBack({ kind: 'transfer', id: text, status: text, modifiedOn: text })),
  document('readUndelivered of a body', (text) => {
    const value = {
      id: '1',
      webhook: { eventType: 'TRANSFER_NOTIFICATION' },
      body: text,
      createdOn: '2026-07-01T00:00:00Z',
    };
    readUndelivered({ value, bytes: Buffer.from(text) }, { profile, now: () => now });
  }),
  field('readUndelivered of other fields', (text) => {
    const value = { id: text, webhook: { eventType: text }, body: '{}', createdOn: text };
    readUndelivered({ value, bytes: Buffer.from(text) }, { profile, now: () => now });
  }),
  document('readPage of persons', (text) => readPage(persons, request, { body: Buffer.from(text) })),
  scanner('readPage and listElements', (text) => {
    // Of what is no page it is never asked.
    readPage(anything, request, { body: Buffer.from(text) });
    listElements(Buffer.from(text));
  }),
  document('toHttpError of a body', (text) => {
    toHttpError('Call', { status: 400, headers: new Headers(), body: Buffer.from(text) }, { now });
  }),
  field('toHttpError of fields', (text) => {
    const body = {
      message: text,
      requestId: text,
      errorCode: text,
      errorDetails: [{ field: text, errors: [{ code: text }] }],
    };
    const headers = { get: () => text };
    toHttpError('Call', { status: 400, headers, body: Buffer.from(JSON.stringify(body)) }, { now });
  }),
  field('timestamp', (text) => {
    timestamp.safeParse(text);
    timestamp.safeParse(`2026-07-01T00:00:00.${text}`);
    compareTimestamps(text, text);
  }),
  field('followTrail', (text) => {
    const trail = followTrail(trailhead, undefined, text);
    followTrail(cursorTrail.parse(trail), text, `${text}x`);
  }),
  document('checkRequest of a body', (text) => {
    const person: unknown = JSON.parse(text);
    checkRequest({ externalId: '1', person, identification: { mode: 'none' } }, now, profile.additionalFields);
  }),
  field('checkRequest of fields', (text) => {
    const person = { ...samplePerson, firstName: text, gender: text, birthDay: text, birthCountry: text };
    const identification = { mode: 'video', redirectUrl: `https://partner.example/${text}` };
    checkRequest({ externalId: text, person, identification }, now, profile.additionalFields);
  }),
  document('naturalPersonUpdate', (text) => {
    const naturalPersonUpdateData: unknown = JSON.parse(text);
    parseUntrusted(naturalPersonUpdate, { naturalPersonUpdateData });
  }),
  document('readReplayRun', (text) => {
    readReplayRun({ continueFrom: Buffer.from(text).toString('base64url') }, () => 1);
  }),
  field('isPlace', (text) => isPlace(text)),
  field('differingFields', (text) => {
    const found = naturalPerson.parse({ ...samplePerson, naturalPersonId });
    differingFields(storedNewNaturalPerson.parse(samplePerson), { ...found, firstName: text });
  }),
];
