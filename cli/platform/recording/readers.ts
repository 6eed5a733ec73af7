import type * as z from 'zod';
import { errorFields } from '#cli/doctor/platform/evaluate-answers.ts';
import { anyPage } from '#shared/platform/client/page.ts';
import { errorBody } from '#shared/platform/client/read-http-error.ts';
import { type EntityKind, placeOf } from '#shared/platform/profile/event-place.ts';
import { type PlatformProfile, usualVerificationWords } from '#shared/platform/profile/profile.ts';
import { identificationVerification } from '#shared/platform/resources/identification-verifications.ts';
import { isSearchable } from '#shared/platform/resources/list-natural-persons.ts';
import { identityFields, naturalPerson, naturalPersonStatusWords } from '#shared/platform/resources/natural-person.ts';
import { naturalPersonBodies } from '#shared/platform/resources/natural-person-schema.ts';
import { undeliveredWebhook } from '#shared/platform/resources/undelivered-webhooks.ts';
import { webhook, webhookMissing } from '#shared/platform/resources/webhooks.ts';
import { tokenResponse } from '#shared/platform/token/token.ts';
import { fieldsOf, memberOf } from './expected-fields.ts';
import { type Operation, operations } from './recording.ts';

type Schema = z.core.$ZodType;

/** What Drawbridge needs of an answer. */
export type Need = {
  /** The fields: one of them is enough. */
  readonly names: readonly string[];
  /** Whether Drawbridge can use a value that it reads; every one unless given. */
  readonly isUsable?: (name: string, value: unknown) => boolean;
  /** What follows if no answer has the fields, if that can be as it should be. Otherwise it is a problem. */
  readonly whenAbsent?: string;
  /** The status before which the fields can be absent. */
  readonly after?: string;
};

/** How Drawbridge reads the answer to an operation, or a member of the list. */
export type Reader = {
  readonly isList: boolean;
  readonly schema: Schema;
  /** What Drawbridge sends of the same fields: stricter, and as the specification writes them. */
  readonly sent?: Schema | undefined;
  /** What Drawbridge works worse or not at all without, beside the fields that the schema requires. */
  readonly needs: readonly Need[];
  /** The entity that is read, and the field of its status. */
  readonly entity?: { readonly kind: EntityKind; readonly status: string };
};

/** The search for a person whose create was refused, or not answered. */
const needsOfSearch: readonly Need[] = [
  {
    names: ['externalId'],
    isUsable: (_, value) => isSearchable('externalId', value),
    whenAbsent: 'an onboarding finds no person that the platform already has',
  },
  {
    names: identityFields,
    isUsable: (name, value) => identityFields.every((field) => field !== name || isSearchable(field, value)),
    whenAbsent: 'a person that is found cannot be compared, and its onboarding waits',
  },
];

const needOfVideoCall: Need = {
  names: ['identificationUrl'],
  whenAbsent: 'an onboarding waits for the link to the video call',
  after: 'RECEIVED',
};

/** The schemas of the client of Drawbridge, by operation. */
export function readerOf(operation: Operation, profile: PlatformProfile): Reader {
  const { times, additionalFields } = profile;
  const ofPersons = {
    schema: naturalPerson(times),
    // Limits of what is sent say nothing about what is received.
    sent: naturalPersonBodies({ additionalFields, sentFields: {} }).newNaturalPerson,
    needs: [{ names: ['naturalPersonStatus'] }, { names: ['modifiedOn'] }],
    entity: { kind: 'natural-person', status: 'naturalPersonStatus' },
  } as const;
  const ofVerifications = {
    schema: identificationVerification(times),
    needs: [{ names: ['status'] }, { names: ['naturalPersonId'] }, { names: ['modifiedOn'] }],
    entity: { kind: 'identification-verification', status: 'status' },
  } as const;
  const ofWebhooks = { schema: webhook(times), needs: [{ names: ['url'] }] };
  switch (operation) {
    case 'Get Token':
      return { isList: false, schema: tokenResponse, needs: [] };
    case 'Get natural persons':
      return { isList: true, ...ofPersons, needs: [...ofPersons.needs, ...needsOfSearch] };
    case 'Get natural person':
      return { isList: false, ...ofPersons };
    case 'Get Identification Verifications':
      return { isList: true, ...ofVerifications };
    case 'Get Identification Verification':
      return { isList: false, ...ofVerifications, needs: [...ofVerifications.needs, needOfVideoCall] };
    case 'List webhooks':
      return { isList: true, ...ofWebhooks };
    case 'Get webhook':
      return { isList: false, ...ofWebhooks };
    case 'List missing webhooks':
      return { isList: true, schema: webhookMissing, needs: [] };
    case 'List undelivered webhooks':
      return { isList: true, schema: undeliveredWebhook(times), needs: [{ names: ['createdOn'] }] };
  }
}

/** Where another platform has the members, or the next page. */
const namesOfPages = [
  ...['items', 'content', 'results', 'page', 'links', 'next', 'nextCursor', 'nextPage', 'hasMore', 'offset', 'total'],
] as const;

/** The names of all fields that Drawbridge knows of answers and webhooks: none of them is data. */
export function listedNames(profile: PlatformProfile): ReadonlySet<string> {
  const readers = operations.map((operation) => readerOf(operation, profile));
  const places = profile.eventTypes
    .map((type) => placeOf(type, profile.places))
    .filter((place) => typeof place === 'object');
  return new Set([
    ...[anyPage, errorBody, ...readers.flatMap(({ schema, sent }) => [schema, sent])].flatMap(namesIn),
    ...places.flatMap(({ wrappers, id, status, modifiedOn, reason }) =>
      [wrappers, id, status, modifiedOn, reason].flat(),
    ),
    ...Object.values(profile.additionalFields).flatMap((rules) => Object.keys(rules)),
    ...errorFields,
    ...['limit', ...namesOfPages, 'notificationType', 'errorType', 'description'],
  ]);
}

/** Statuses and event types that Drawbridge knows. */
export function knownWords({ eventTypes }: PlatformProfile): readonly string[] {
  const { success, failure, waiting } = usualVerificationWords;
  return [eventTypes, naturalPersonStatusWords, success, failure, waiting].flat();
}

function namesIn(schema: Schema | undefined): readonly string[] {
  const member = memberOf(schema);
  if (member !== undefined) return namesIn(member);
  return [...fieldsOf(schema)].flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}
