import * as z from 'zod/mini';
import { checkInput } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import {
  PlatformAnswerTooLargeError,
  PlatformHttpError,
  PlatformNetworkError,
  PlatformSchemaError,
  PlatformTimeoutError,
} from '#shared/platform/client/errors.ts';
import { checkNoContent } from '#shared/platform/client/http-answer.ts';
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
import { enumWord, uuid } from '#shared/platform/fields/fields.ts';
import type { UnknownWord } from '#shared/platform/fields/open-enum.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import { type NaturalPerson, type NaturalPersonStatus, naturalPerson } from './natural-person.ts';
import {
  type NewNaturalPersonIdentification,
  newNaturalPersonIdentification,
} from './natural-person-identification.ts';
import { type NaturalPersonUpdateData, type NewNaturalPerson, naturalPersonBodies } from './natural-person-schema.ts';

const path = '/entities/natural-persons';

/** A person that exists on the platform now. */
export type CreatedNaturalPerson = {
  readonly naturalPersonId: string;
  /** The answer to the create was lost; the person was found by its externalId. */
  readonly isAdopted: boolean;
};

const created = z.looseObject({ naturalPersonId: z.string() });

/**
 * Create natural person (section 4). Where the answer is lost, the create is sent once more: the platform answers 409 where it
 * has the person, which is then looked up by its externalId and adopted. A platform that may take a second person of an
 * externalId (`isExternalIdUnique` of the profile) is searched first, and sent nothing again.
 *
 * @throws {PlatformInputError} before anything is sent
 * @throws {PlatformHttpError} CONFLICT where the externalId is another person's
 * @throws {PlatformError} the first failure, where the answer was lost and no such person is found, or the search fails
 */
export async function createNaturalPerson(
  client: PlatformClient,
  person: NewNaturalPerson,
  options?: CallOptions,
): Promise<CreatedNaturalPerson> {
  const { externalId } = person;
  try {
    return { naturalPersonId: await sendNewNaturalPerson(client, person, options), isAdopted: false };
  } catch (error) {
    if (externalId === undefined || !isOutcomeUnknown(error)) throw error;
    const giveUp = () => {
      options?.signal?.throwIfAborted();
      throw error;
    };
    if (client.profile.isExternalIdUnique) {
      const again = await sendNewNaturalPerson(client, person, options).catch((second: unknown) =>
        isConflict(second) ? undefined : giveUp(),
      );
      if (again !== undefined) return { naturalPersonId: again, isAdopted: false };
    }
    const found = await findNaturalPerson(client, externalId, options).catch(giveUp);
    if (found === undefined) throw error;
    return { naturalPersonId: found.naturalPersonId, isAdopted: true };
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof PlatformHttpError && error.condition === 'CONFLICT';
}

/**
 * Create natural person (section 4), and no more than that: for a caller that finds the person later when the answer is lost,
 * which {@link isOutcomeUnknown} says.
 *
 * @returns the naturalPersonId
 * @throws {PlatformInputError} before anything is sent
 * @throws {PlatformHttpError} CONFLICT where the externalId is another person's
 */
export async function sendNewNaturalPerson(
  client: PlatformClient,
  person: NewNaturalPerson,
  options?: CallOptions,
): Promise<string> {
  const operation = 'Create natural person';
  const { newNaturalPerson } = naturalPersonBodies(client.profile.additionalFields);
  const body = checkInput(newNaturalPerson, person, { operation, section: '2.4' });
  return (await client.request(created, { operation, method: 'POST', path, body }, options)).naturalPersonId;
}

/** Whether the platform may have done it although its answer says otherwise, is missing, or cannot be read. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof PlatformHttpError) return error.status === 408 || (error.status >= 500 && error.status !== 501);
  return (
    error instanceof PlatformNetworkError ||
    error instanceof PlatformTimeoutError ||
    error instanceof PlatformSchemaError ||
    error instanceof PlatformAnswerTooLargeError
  );
}

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
  return listAll(client, naturalPerson, { operation, method: 'GET', path, query }, options);
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
  const request: PlatformRequest = { operation: 'Get natural persons', method: 'GET', path };
  return readPage(naturalPersonStates, request, await fetchPage(client, request, options));
}

/** Get natural person (section 4). @throws {PlatformHttpError} NOT_FOUND */
export async function getNaturalPerson(
  client: PlatformClient,
  naturalPersonId: string,
  options?: CallOptions,
): Promise<NaturalPerson> {
  const operation = 'Get natural person';
  return client.request(
    naturalPerson,
    { operation, method: 'GET', path: personPath(operation, naturalPersonId) },
    options,
  );
}

export type UpdateNaturalPerson = {
  readonly naturalPersonUpdateData: NaturalPersonUpdateData;
  /** The document that shows a changed title, lastName or deathDay. */
  readonly documentId?: string;
};

/**
 * Update natural person (section 4.1). The same update twice leaves the person as one does.
 *
 * @param requestorId who does it: the person itself, or one with an ACTIVE proxy for it (section 5)
 */
export async function updateNaturalPerson(
  client: PlatformClient,
  requestorId: string,
  naturalPersonId: string,
  update: UpdateNaturalPerson,
  options?: CallOptions,
): Promise<void> {
  const operation = 'Update natural person';
  const { naturalPersonUpdate } = naturalPersonBodies(client.profile.additionalFields);
  const body = checkInput(naturalPersonUpdate, update, { operation, section: '4.1' });
  const request = { operation, requestorId, body, isIdempotent: true };
  const sent = { ...request, method: 'PATCH', path: personPath(operation, naturalPersonId) } as const;
  checkNoContent(operation, await client.send(sent, options));
}

/**
 * Create natural person identification: an identification that the partner has done (section 4.2).
 *
 * @param requestorId who does it (section 5)
 * @param today for identificationDate, which must be within the last 24 months
 */
export async function createNaturalPersonIdentification(
  client: PlatformClient,
  requestorId: string,
  naturalPersonId: string,
  identification: NewNaturalPersonIdentification,
  { today, ...options }: CallOptions & { readonly today: Date },
): Promise<void> {
  const operation = 'Create natural person identification';
  const body = checkInput(newNaturalPersonIdentification(today), identification, { operation, section: '4.2' });
  const request: PlatformRequest = {
    operation,
    method: 'POST',
    path: `${personPath(operation, naturalPersonId)}/identification`,
    requestorId,
    body,
  };
  checkNoContent(operation, await client.send(request, options));
}

function personPath(operation: string, naturalPersonId: string): string {
  return `${path}/${checkInput(uuid, naturalPersonId, { operation, section: '2', field: 'naturalPersonId' })}`;
}
