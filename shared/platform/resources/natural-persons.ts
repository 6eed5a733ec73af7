import { type CallOptions, checkInput, type PlatformRequest } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { checkNoContent } from '#shared/platform/client/http.ts';
import { platformId } from '#shared/platform/fields/fields.ts';
import type { Unreadable } from '#shared/platform/fields/received.ts';
import { requestorIdOf } from '#shared/platform/profile/profile.ts';
import { type NaturalPerson, naturalPersonInFull } from './natural-person.ts';
import {
  type NewNaturalPersonIdentification,
  newNaturalPersonIdentification,
} from './natural-person-identification.ts';
import { type NaturalPersonUpdateData, naturalPersonBodies } from './natural-person-schema.ts';

export const naturalPersonsPath = '/entities/natural-persons';

/**
 * Get natural person (section 4). `unreadable` names its status and its identifications, if they are there and cannot be read.
 *
 * @throws {PlatformHttpError} NOT_FOUND
 */
export async function getNaturalPerson(
  client: PlatformClient,
  naturalPersonId: string,
  options?: CallOptions,
): Promise<NaturalPerson & Unreadable> {
  const operation = 'Get natural person';
  const requestorId = requestorIdOf(client.profile.requestors.naturalPerson, naturalPersonId);
  return client.request(
    naturalPersonInFull(client.profile.times),
    { operation, requestorId, method: 'GET', path: personPath(operation, naturalPersonId) },
    options,
  );
}

export type UpdateNaturalPerson = {
  readonly naturalPersonUpdateData: NaturalPersonUpdateData;
  /** The document that shows a changed title, lastName or deathDay. */
  readonly documentId?: string;
};

/**
 * Update natural person (section 4.1). Idempotent.
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
  const { naturalPersonUpdate } = naturalPersonBodies(client.profile);
  const body = checkInput(naturalPersonUpdate, update, { operation, section: '4.1' });
  const request = { operation, requestorId, body, isIdempotent: true };
  const sent = { ...request, method: 'PATCH', path: personPath(operation, naturalPersonId) } as const;
  checkNoContent(operation, await client.send(sent, options));
}

/**
 * Create natural person identification: an identification that the partner has done (section 4.2).
 *
 * @param requestorId who does it (section 5)
 * @param today for identificationDate, which is checked if the profile has a `times.dayZone`
 */
export async function createNaturalPersonIdentification(
  client: PlatformClient,
  requestorId: string,
  naturalPersonId: string,
  identification: NewNaturalPersonIdentification,
  { today, ...options }: CallOptions & { readonly today: Date },
): Promise<void> {
  const operation = 'Create natural person identification';
  const body = checkInput(newNaturalPersonIdentification(today, client.profile), identification, {
    operation,
    section: '4.2',
  });
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
  return `${naturalPersonsPath}/${checkInput(platformId, naturalPersonId, { operation, section: '2', field: 'naturalPersonId' })}`;
}
