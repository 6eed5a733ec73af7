import * as z from 'zod/mini';
import { type CallOptions, checkInput } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import {
  PlatformAnswerTooLargeError,
  PlatformHttpError,
  PlatformNetworkError,
  PlatformSchemaError,
  PlatformTimeoutError,
} from '#shared/platform/client/errors.ts';
import { pathSegment } from '#shared/platform/fields/fields.ts';
import { receivedId, tolerantObject, withId } from '#shared/platform/fields/received.ts';
import { findNaturalPerson } from './list-natural-persons.ts';
import { differingFields, isComparable } from './natural-person-identity.ts';
import { type NewNaturalPerson, naturalPersonBodies } from './natural-person-schema.ts';
import { naturalPersonsPath } from './natural-persons.ts';

/** A person that exists on the platform now. */
export type CreatedNaturalPerson = {
  readonly naturalPersonId: string;
  /** The answer to the create was lost; the person was found by its externalId, and its name and birthDay do not differ. */
  readonly isAdopted: boolean;
};

const created = withId('naturalPersonId', tolerantObject({ naturalPersonId: z.pipe(receivedId, pathSegment) }));

/**
 * Create natural person (section 4). If the answer is lost, the create is sent once more: the platform answers 409 if it
 * has the person, which is then looked up by its externalId and adopted. A platform that may take a second person of an
 * externalId (`isExternalIdUnique` of the profile) is searched first, and sent nothing again. `timeoutMs` is the time for all of it.
 * A person of the externalId whose firstName, lastName or birthDay differs is another customer, and is not adopted.
 *
 * @throws {PlatformInputError} before anything is sent
 * @throws {PlatformHttpError} CONFLICT if the externalId is another person's
 * @throws {PlatformError} the first failure, if the answer was lost and no such person is found, or cannot be compared, or the search fails
 */
export async function createNaturalPerson(
  client: PlatformClient,
  person: NewNaturalPerson,
  options?: CallOptions,
): Promise<CreatedNaturalPerson> {
  const { externalId } = person;
  const ended = client.ended(options);
  try {
    return { naturalPersonId: await sendNewNaturalPerson(client, person, options), isAdopted: false };
  } catch (error) {
    if (externalId === undefined || !isOutcomeUnknown(error)) throw error;
    const giveUp = () => {
      options?.signal?.throwIfAborted();
      throw error;
    };
    const signal = options?.signal === undefined ? ended : AbortSignal.any([options.signal, ended]);
    const inTime = { ...options, signal };
    let refusal = error;
    if (client.profile.isExternalIdUnique) {
      const again = await sendNewNaturalPerson(client, person, inTime).catch((second: unknown) => {
        if (!isConflict(second)) return giveUp();
        refusal = second;
        return undefined;
      });
      if (again !== undefined) return { naturalPersonId: again, isAdopted: false };
    }
    const found = await findNaturalPerson(client, externalId, inTime).catch(giveUp);
    if (found === undefined || !isComparable(person, found)) throw error;
    if (differingFields(person, found).length > 0) throw refusal;
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
 * @throws {PlatformHttpError} CONFLICT if the externalId is another person's
 */
export async function sendNewNaturalPerson(
  client: PlatformClient,
  person: NewNaturalPerson,
  options?: CallOptions,
): Promise<string> {
  const operation = 'Create natural person';
  const { newNaturalPerson } = naturalPersonBodies(client.profile);
  const body = checkInput(newNaturalPerson, person, { operation, section: '2.4' });
  return (await client.request(created, { operation, method: 'POST', path: naturalPersonsPath, body }, options))
    .naturalPersonId;
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
