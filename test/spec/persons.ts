import * as z from 'zod';
import { createNaturalPerson } from '#shared/platform/resources/create-natural-person.ts';
import type { NewNaturalPerson } from '#shared/platform/resources/natural-person-schema.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import type { Contract } from './contract.ts';

const made = z.object({ naturalPersonId: z.string() });

/** The id of a new person with this status. The control API skips the checks. */
export async function makePerson(contract: Contract, status = 'ACTIVE', fields: object = {}): Promise<string> {
  return made.parse(await contract.control('POST', '/natural-persons', { status, ...fields })).naturalPersonId;
}

/** The id of a CREATED person: the partner created it, and its checks have passed. */
export async function createPerson(contract: Contract, person: Partial<NewNaturalPerson> = {}): Promise<string> {
  const { naturalPersonId } = await createNaturalPerson(contract.client, { ...samplePerson, ...person });
  await contract.advance(10);
  return naturalPersonId;
}

export async function makeProxy(contract: Contract, representativeId: string, naturalPersonId: string) {
  return z
    .object({ proxyId: z.string() })
    .parse(await contract.control('POST', '/proxies', { representativeId, naturalPersonId }));
}

/** A path below /entities/natural-persons. */
export const personPath = (naturalPersonId: string, rest = '') => `/entities/natural-persons/${naturalPersonId}${rest}`;
