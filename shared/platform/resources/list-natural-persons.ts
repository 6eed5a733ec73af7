import * as z from 'zod/mini';
import { type CallOptions, checkInput, type PlatformRequest } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import {
  fetchPage,
  type ListOptions,
  listAll,
  type Page,
  type PlatformList,
  readPage,
} from '#shared/platform/client/page.ts';
import { date, sentWord } from '#shared/platform/fields/fields.ts';
import {
  maybe,
  receivedId,
  receivedStatus,
  receivedText,
  type UnknownWord,
  withId,
} from '#shared/platform/fields/received.ts';
import { oncePerTimes, type PlatformTimes, receivedTime } from '#shared/platform/fields/timestamp.ts';
import { requestorIdOf } from '#shared/platform/profile/profile.ts';
import {
  identityFields,
  type NaturalPerson,
  type NaturalPersonStatus,
  naturalPerson,
  naturalPersonStatusWords,
} from './natural-person.ts';
import { naturalPersonsPath } from './natural-persons.ts';

/** The operation, as errors name it. */
export const getNaturalPersons = 'Get natural persons';

/**
 * The person with this externalId; undefined if there is none. The platform has no such filter, so this reads the
 * list until it is found.
 *
 * @throws {PlatformSchemaError} if it is not found, and a person of the list cannot be read: that may be the one. Nor can one of
 *   this externalId whose firstName, lastName or birthDay is there in another form
 */
export async function findNaturalPerson(
  client: PlatformClient,
  externalId: string,
  options?: CallOptions,
): Promise<NaturalPerson | undefined> {
  for await (const person of searchNaturalPersons(client, externalId, options))
    if (person.externalId === externalId) return person;
  return undefined;
}

/**
 * A person whose externalId cannot be read may be the wanted one, and counts as unreadable. So does the wanted person if a field that
 * distinguishes it from others cannot be compared.
 */
function personToFind(externalId: string | undefined, times: PlatformTimes) {
  return z.pipe(
    z.unknown().check(
      z.superRefine((person, context) => {
        for (const field of unreadableFields(person, externalId))
          context.addIssue({ code: 'custom', path: [field], message: 'cannot be read', input: undefined });
      }),
    ),
    naturalPerson(times),
  );
}

const externalIdToFind = z.object({ externalId: maybe(receivedText) });

/** The form in which a person is requested. A value in another form is neither equal to the requested value nor different from it: it cannot be compared. */
const identityToFind: Readonly<Record<(typeof identityFields)[number], z.ZodMiniType>> = {
  firstName: maybe(z.string()),
  lastName: maybe(z.string()),
  birthDay: maybe(z.pipe(z.string().check(z.trim()), date)),
};

function unreadableFields(person: unknown, externalId: string | undefined): readonly string[] {
  if (typeof person !== 'object' || person === null) return [];
  const read = externalIdToFind.safeParse(person);
  if (!read.success) return ['externalId'];
  if (read.data.externalId !== externalId) return [];
  const fields = new Map<string, unknown>(Object.entries(person));
  return identityFields.filter((field) => !isSearchable(field, fields.get(field)));
}

/** Whether a search can go by this value of a person: absent, or in the form in which persons are requested. */
export function isSearchable(field: (typeof identityFields)[number] | 'externalId', value: unknown): boolean {
  if (field === 'externalId') return externalIdToFind.safeParse({ externalId: value }).success;
  return identityToFind[field].safeParse(value).success;
}

/**
 * Get natural persons (section 4), to search for the one with this externalId: the others are listed, too. One that cannot be
 * compared counts as unreadable.
 */
export function searchNaturalPersons(
  client: PlatformClient,
  externalId: string | undefined,
  options: ListOptions = {},
): PlatformList<NaturalPerson> {
  const requestorId = listRequestor(client);
  const request: PlatformRequest = {
    operation: getNaturalPersons,
    requestorId,
    method: 'GET',
    path: naturalPersonsPath,
  };
  return listAll(client, personToFind(externalId, client.profile.times), request, options);
}

export type ListNaturalPersonsOptions = ListOptions & {
  /** Only persons of this status (section 3.1). The parameter's name is the profile's. */
  readonly naturalPersonStatus?: NaturalPersonStatus | UnknownWord | undefined;
};

/** Get natural persons (section 4). */
export function listNaturalPersons(
  client: PlatformClient,
  { naturalPersonStatus, ...options }: ListNaturalPersonsOptions = {},
): PlatformList<NaturalPerson> {
  const operation = getNaturalPersons;
  const place = { operation, section: '3.1', field: 'naturalPersonStatus' };
  const status = checkInput(z.optional(sentWord(client.profile.sentFields)), naturalPersonStatus, place);
  const query = { [client.profile.naturalPersonStatusParameter]: status };
  const requestorId = listRequestor(client);
  const request = { operation, requestorId, method: 'GET', path: naturalPersonsPath, query } as const;
  return listAll(client, naturalPerson(client.profile.times), request, options);
}

function listRequestor({ profile }: PlatformClient): string | undefined {
  return requestorIdOf(profile.requestors.naturalPersons);
}

/** The fields that show the state of a person. A person that cannot be read does not affect the others. */
const naturalPersonState = oncePerTimes((times) =>
  z.catch(
    withId(
      'naturalPersonId',
      z.object({
        naturalPersonId: z.catch(z.optional(receivedId), undefined),
        naturalPersonStatus: z.catch(z.optional(receivedStatus(naturalPersonStatusWords)), undefined),
        modifiedOn: receivedTime(times),
      }),
    ),
    {},
  ),
);

export type NaturalPersonState = z.infer<ReturnType<typeof naturalPersonState>>;

/** One page of Get natural persons (section 4): only the fields that show the state of each person. */
export async function readNaturalPersonStates(
  client: PlatformClient,
  options: ListOptions = {},
): Promise<Page<NaturalPersonState>> {
  const requestorId = listRequestor(client);
  const request: PlatformRequest = {
    operation: getNaturalPersons,
    requestorId,
    method: 'GET',
    path: naturalPersonsPath,
  };
  return readPage(naturalPersonState(client.profile.times), request, await fetchPage(client, request, options));
}
