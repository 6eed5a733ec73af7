import * as z from 'zod/mini';
import { checkInput } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import {
  fetchPage,
  type ListOptions,
  listAll,
  type Page,
  type PlatformList,
  pageOf,
  readPage,
} from '#shared/platform/client/page.ts';
import type { CallOptions, PlatformRequest } from '#shared/platform/client/platform-request.ts';
import { enumWord } from '#shared/platform/fields/fields.ts';
import type { UnknownWord } from '#shared/platform/fields/open-enum.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import { requestorIdOf } from '#shared/platform/profile/requestors.ts';
import { type NaturalPerson, type NaturalPersonStatus, naturalPerson } from './natural-person.ts';
import { path } from './natural-persons.ts';

/**
 * The person with this externalId; undefined where there is none. The platform has no such filter, so this reads the
 * list until it is found.
 */
export async function findNaturalPerson(
  client: PlatformClient,
  externalId: string,
  options?: CallOptions,
): Promise<NaturalPerson | undefined> {
  for await (const person of listNaturalPersons(client, options)) if (person.externalId === externalId) return person;
  return undefined;
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
  const operation = 'Get natural persons';
  const place = { operation, section: '3.1', field: 'naturalPersonStatus' };
  const status = checkInput(z.optional(enumWord), naturalPersonStatus, place);
  const query = { [client.profile.naturalPersonStatusParameter]: status };
  const requestorId = listRequestor(client);
  return listAll(client, naturalPerson, { operation, requestorId, method: 'GET', path, query }, options);
}

function listRequestor({ profile }: PlatformClient): string | undefined {
  return requestorIdOf(profile.requestors.naturalPersons);
}

const anyText = z.catch(z.optional(z.string()), undefined);

/** What of a person tells how it stands. One that cannot be read, or of which this cannot, does not spoil the others. */
const naturalPersonState = z.catch(
  z.object({
    naturalPersonId: anyText,
    naturalPersonStatus: anyText,
    modifiedOn: z.catch(z.optional(timestamp), undefined),
  }),
  {},
);

const naturalPersonStates = pageOf(naturalPersonState);

export type NaturalPersonState = z.infer<typeof naturalPersonState>;

/** One page of Get natural persons (section 4): how each person stands, and nothing else of it. */
export async function readNaturalPersonStates(
  client: PlatformClient,
  options: ListOptions = {},
): Promise<Page<NaturalPersonState>> {
  const request: PlatformRequest = {
    operation: 'Get natural persons',
    requestorId: listRequestor(client),
    method: 'GET',
    path,
  };
  return readPage(naturalPersonStates, request, await fetchPage(client, request, options));
}
