import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type * as z from 'zod/mini';
import { hasPassedChecks, type ReadResult } from '#functions/onboarding/state-machine/decide.ts';
import { type EntityKey, keyOfState, readState } from '#shared/entities/entity-row.ts';
import { readStatus } from '#shared/entities/statuses/entity-rules.ts';
import type { OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import type { OnboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { endingStatuses, type ReadTarget, stepRow } from '#shared/onboarding/onboarding-steps.ts';
import { parseJson } from '#shared/parse-json.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { PlatformError, PlatformHttpError, PlatformSchemaError } from '#shared/platform/client/errors.ts';
import { type SearchPlace, searchList, searchPlace } from '#shared/platform/client/search-list.ts';
import { pathSegment, words } from '#shared/platform/fields/fields.ts';
import type { Unreadable } from '#shared/platform/fields/received.ts';
import { capitalized, requestorIdOf } from '#shared/platform/profile/profile.ts';
import {
  getIdentificationVerification,
  getIdentificationVerifications,
  type IdentificationVerification,
  searchIdentificationVerifications,
} from '#shared/platform/resources/identification-verifications.ts';
import { getNaturalPersons, searchNaturalPersons } from '#shared/platform/resources/list-natural-persons.ts';
import { identityFields, type NaturalPerson } from '#shared/platform/resources/natural-person.ts';
import { differingFields, isComparable, isNamesake } from '#shared/platform/resources/natural-person-identity.ts';
import { getNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import { failureOf, isIdentifiedBy, type PlatformWords } from './platform-answers.ts';

/** Reads what the step needs from the platform. Changes nothing there. */
export type ReadForStep = (row: OnboardingRow) => Promise<ReadResult>;

/**
 * The reason codes of the status of a person or a verification. Only webhooks report them: a read of the platform does not show them.
 *
 * @throws when DynamoDB did not answer
 */
export type ReadReasons = (key: EntityKey, status: string) => Promise<readonly string[]>;

type ReadForStepDeps = {
  readonly client: PlatformClient;
  readonly settings: OnboardingSettings;
  readonly words: Pick<PlatformWords, 'meaningOf'>;
  readonly readReasons: ReadReasons;
  readonly now: () => Date;
};

/** How much of a list one portion of a search reads: pages, and milliseconds. Then the run reads the next portion, or the next run does. */
const searchLimits = { pages: 50, time: 15_000 } as const;

export function createReadForStep({ client, settings, words, readReasons, now }: ReadForStepDeps): ReadForStep {
  const readers: Readonly<Record<ReadTarget, ReadForStep>> = {
    nothing: async () => ({ of: 'NOTHING' }),
    'persons of the externalId': searchPerson,
    'the person': readPerson,
    'the person and the requestor': readRequestor,
    'the person and its verifications': searchVerification,
    'the person and the verification': readVerification,
  };

  return async (row) => {
    try {
      return await readers[stepRow(row.state.step).reads](row);
    } catch (error) {
      return failedRead(error);
    }
  };

  /** The requestor that reads the verifications of this person: by default the one that acts for the person. */
  function readerOf(naturalPersonId: string): string | undefined {
    return requestorIdOf(client.profile.requestors.verifications ?? settings.requestor, naturalPersonId);
  }

  function withinSearchLimits(): (pages: number) => boolean {
    const end = now().getTime() + searchLimits.time;
    return (pages) => pages < searchLimits.pages && now().getTime() < end;
  }

  async function searchPerson({ state, data: { person } }: OnboardingRow): Promise<ReadResult> {
    // A refused create made no person. If 409 shows a duplicate, the create is sent again without a search.
    const mayHavePerson = state.intentOn !== undefined || state.hasUnknownCreate || state.mustSeek;
    const isSearchFutile = client.profile.isExternalIdUnique || !mayHavePerson;
    if (state.step === 'CREATING_PERSON' && isSearchFutile) return { of: 'NOTHING' };
    let hasNamesake = false;
    const from = readSearchPlace(state.cursor);
    const list = searchNaturalPersons(client, person?.externalId, {
      cursor: from.cursor,
      isFirstPageSentOnce: true,
    });
    const isWanted = (one: NaturalPerson) => {
      hasNamesake ||= isNamesake(person, one);
      return one.externalId === person?.externalId;
    };
    const search = await searchList(list, {
      operation: getNaturalPersons,
      isWanted,
      mayContinue: withinSearchLimits(),
      from,
    });
    if (search === 'not found') return { of: 'SEARCH_ENDED', hasNamesake };
    if ('next' in search) return { of: 'SEARCH_CONTINUES', cursor: writeSearchPlace(search.next), hasNamesake };
    const { found } = search;
    // The externalId is not enough: with a reused externalId, the onboarding would adopt another customer.
    if (!isComparable(person, found)) throw new PlatformSchemaError(getNaturalPersons, [...identityFields]);
    const naturalPersonId = storable(getNaturalPersons, 'naturalPersonId', found.naturalPersonId);
    return { of: 'PERSON_FOUND', naturalPersonId, differing: differingFields(person, found) };
  }

  async function readPerson({ state, data }: OnboardingRow): Promise<ReadResult> {
    try {
      const { naturalPersonId: id = '' } = state;
      const person = await getNaturalPerson(client, id);
      const status = readStatus('natural-person', client.profile, person.naturalPersonStatus);
      const isIdentified = isIdentifiedBy(data.identification, person);
      const read = { of: 'PERSON', status, isIdentified, ...statusIn(person, 'naturalPersonStatus') } as const;
      // The list shows that the identification is missing only if each member is readable.
      if (isToBeSent(state, read) && isUnreadable(person, identifications))
        throw new PlatformSchemaError('Get natural person', [identifications]);
      if (status === undefined || !isEnding(read)) return read;
      return { ...read, ...reasonsIn(await readReasons({ kind: 'natural-person', id }, status)) };
    } catch (error) {
      if (isNotFound(error)) return { of: 'PERSON_MISSING' };
      throw error;
    }
  }

  async function readRequestor(row: OnboardingRow): Promise<ReadResult> {
    const read = await readPerson(row);
    if (read.of !== 'PERSON' || isEnding(read) || isActive(read)) return read;
    if (settings.requestor === 'self') return { ...read, requestorStatus: read.status };
    const requestor = await getNaturalPerson(client, settings.requestor);
    return {
      ...read,
      requestorStatus: readStatus('natural-person', client.profile, requestor.naturalPersonStatus),
    };
  }

  async function searchVerification(row: OnboardingRow): Promise<ReadResult> {
    const person = await readPerson(row);
    if (isEnding(person) || isActive(person)) return person;
    const { naturalPersonId = '', cursor } = row.state;
    const from = readSearchPlace(cursor);
    const requestor = readerOf(naturalPersonId);
    const list = searchIdentificationVerifications(client, requestor, {
      cursor: from.cursor,
      isFirstPageSentOnce: true,
    });
    const isWanted = (one: IdentificationVerification) =>
      one.naturalPersonId === naturalPersonId &&
      words.meaningOf(readStatus('identification-verification', client.profile, one.status) ?? '') !== 'failure';
    const operation = getIdentificationVerifications;
    const search = await searchList(list, { operation, isWanted, mayContinue: withinSearchLimits(), from });
    if (search === 'not found') return { of: 'SEARCH_ENDED' };
    if ('next' in search) return { of: 'SEARCH_CONTINUES', cursor: writeSearchPlace(search.next) };
    const id = search.found.identificationVerificationId;
    const identificationVerificationId = storable(operation, 'identificationVerificationId', id);
    return { of: 'VERIFICATION_FOUND', identificationVerificationId };
  }

  async function readVerification(row: OnboardingRow): Promise<ReadResult> {
    const person = await readPerson(row);
    if (isEnding(person)) return person;
    const { naturalPersonId = '', identificationVerificationId: id = '' } = row.state;
    const kind = 'identification-verification';
    const requestor = readerOf(naturalPersonId);
    try {
      const verification = await getIdentificationVerification(client, requestor, id);
      const { identificationUrl } = verification;
      const status = readStatus(kind, client.profile, verification.status);
      const operation = 'Get Identification Verification';
      const url = identificationUrl ? storable(operation, 'identificationUrl', identificationUrl) : undefined;
      return {
        of: 'VERIFICATION',
        status,
        identificationUrl: url,
        ...statusIn(verification, 'status'),
        ...(isActive(person) && { isPersonActive: true }),
        ...(status && words.meaningOf(status) === 'failure' && reasonsIn(await readReasons({ kind, id }, status))),
      };
    } catch (error) {
      // An ACTIVE person is enough without the verification. A single failure that may be temporary decides nothing.
      const isFinal = error instanceof PlatformError && (!error.isRetryable || row.state.failing !== undefined);
      if (isActive(person) && isFinal) return person;
      if (isNotFound(error)) return { of: 'VERIFICATION_MISSING' };
      throw error;
    }
  }
}

const identifications = 'naturalPersonIdentifications';

function isUnreadable({ unreadable = [] }: Unreadable, field: string): boolean {
  return unreadable.includes(field);
}

function statusIn(resource: Unreadable, field: string) {
  return isUnreadable(resource, field) && { isStatusUnreadable: true };
}

/** Whether the next call sends the supplied identification: the platform does not show it, and the person can be identified. */
function isToBeSent({ step, mode, ...state }: OnboardingState, person: PersonRead): boolean {
  if (mode !== 'supplied' || state.isIdentified || person.isIdentified) return false;
  if (step === 'AWAITING_CHECKS') return hasPassedChecks(person.status);
  return step === 'SENDING_IDENTIFICATION' && !isEnding(person) && !isActive(person);
}

type PersonRead = Extract<ReadResult, { of: 'PERSON' }>;

function reasonsIn(reasons: readonly string[]) {
  return reasons.length > 0 && { reasons };
}

/** Whether the read ends the onboarding: the person has an ending status, or is missing. */
function isEnding(read: ReadResult): boolean {
  if (read.of === 'PERSON_MISSING') return true;
  return read.of === 'PERSON' && endingStatuses.some((status) => status === read.status);
}

/** Whether the person is ACTIVE, so that the platform needs nothing more. */
function isActive(read: ReadResult): boolean {
  return read.of === 'PERSON' && read.status === 'ACTIVE';
}

function isNotFound(error: unknown): boolean {
  return error instanceof PlatformHttpError && error.condition === 'NOT_FOUND';
}

/** The result of a failed read. @throws the error if it is not a `PlatformError` */
function failedRead(error: unknown): ReadResult {
  if (!(error instanceof PlatformError)) throw error;
  const retryAfter = error instanceof PlatformHttpError ? error.retryAfter : undefined;
  return { of: 'UNREAD', why: failureOf(error), retryAfter };
}

/**
 * The texts of the platform that a row of an onboarding stores. DynamoDB refuses rows above 400 KB, and index keys that are empty or
 * above 2 KB. A write that always fails would repeat the call without a back-off.
 */
const kept = {
  naturalPersonId: pathSegment,
  identificationVerificationId: pathSegment,
  identificationUrl: words(4_096),
} as const satisfies Readonly<Record<string, z.ZodMiniType<string>>>;

/** The text. @throws {PlatformSchemaError} if a row cannot store it */
function storable(operation: string, field: keyof typeof kept, text: string): string {
  if (kept[field].safeParse(text).success) return text;
  throw new PlatformSchemaError(operation, [field]);
}

/** Marks a search place. No cursor of a platform begins with this character, since a cursor is part of a URL. */
const mark = '\u{e000}';

/** The place of a search, as the `cursor` of an onboarding stores it. */
function writeSearchPlace(place: SearchPlace): string {
  return `${mark}${JSON.stringify(place)}`;
}

/** Where a search continues; release 0.2.0 stored only the cursor. A place that cannot be read restarts the search. */
function readSearchPlace(kept: string | undefined): Partial<SearchPlace> {
  if (kept === undefined) return {};
  if (!kept.startsWith(mark)) return { cursor: kept };
  return searchPlace.safeParse(parseJson(kept.slice(mark.length))).data ?? {};
}

type ReadReasonsDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  /** The entities table. */
  readonly tableName: string;
};

export function createReadReasons({ dynamodb, tableName: TableName }: ReadReasonsDeps): ReadReasons {
  return async (key, status) => {
    const command = new GetItemCommand({ TableName, Key: keyOfState(key), ConsistentRead: true });
    const { Item } = await dynamodb.send(command);
    const row = Item && readState(Item);
    if (row === undefined || 'erasedOn' in row) return [];
    const { reasonCodes = {} } = row.known;
    // A reason of an onboarding names the status in capitals.
    const wanted = capitalized(status);
    return Object.entries(reasonCodes).find(([known]) => capitalized(known) === wanted)?.[1] ?? [];
  };
}
