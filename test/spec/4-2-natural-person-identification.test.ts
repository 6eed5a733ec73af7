import { beforeEach, describe, expect, it } from 'vitest';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import type { NewNaturalPersonIdentification } from '#shared/platform/resources/natural-person-identification.ts';
import { createNaturalPersonIdentification, getNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import { sampleIdentification } from '#test/shared/platform/resources/sample-persons.ts';
import { useContract } from './contract.ts';
import { makePerson, personPath } from './persons.ts';
import { refused } from './refused.ts';

const contract = useContract();

const identification = { ...sampleIdentification, identificationDate: '2026-10-01' };
const parents = {
  documentMotherFullName: 'Anna Mustermann',
  documentMotherResidenceCity: 'Berlin',
  documentFatherFullName: 'Otto Mustermann',
  documentFatherResidenceCity: 'Bonn',
};
const birthCertificate = { ...identification, identificationDocumentType: 'BIRTH_CERTIFICATE', ...parents };

let id: string;
beforeEach(async () => {
  id = await makePerson(contract());
});

const create = (body: NewNaturalPersonIdentification) =>
  createNaturalPersonIdentification(contract().client, id, id, body, { today: contract().platform.clock.now() });
const createAnyway = (body: unknown) =>
  contract().call('POST', personPath(id, '/identification'), { body, headers: { 'requestor-id': id } });

/** Expects that client and platform accept the fields, and that the person shows them. */
async function expectTaken(fields: Partial<NewNaturalPersonIdentification>): Promise<void> {
  await create({ ...identification, ...fields });
  await contract().advance(10);
  const { naturalPersonIdentifications } = await getNaturalPerson(contract().client, id);
  expect(naturalPersonIdentifications?.at(-1)).toMatchObject(fields);
}

/** Expects that the client and the platform both refuse the body, and name the field. */
async function expectRefused(field: string, body: object): Promise<void> {
  const call = create(body as NewNaturalPersonIdentification);
  await expect(call).rejects.toBeInstanceOf(PlatformInputError);
  await expect(call).rejects.toThrow(field);
  expect(await createAnyway(body)).toEqual(refused(400, field));
}

const without = (body: object, field: string) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));

describe('4.2 externalVerifier + 4.2 identificationType + 4.2 documentNumber + 4.2 documentCountry + 4.2 documentIssuer + 4.2 documentIssueDate + 4.2 documentExpiryDate: the fields of an identification', () => {
  it.each<Partial<NewNaturalPersonIdentification>>([
    { externalVerifier: 'PARTNER', identificationType: 'IN_PERSON' },
    { documentNumber: 'L01X00T47' },
    { documentCountry: 'AT' },
    { documentIssuer: 'Magistrat Wien' },
    { documentIssueDate: '2019-12-31' },
    { documentExpiryDate: '2031-05-06' },
    { ...parents, identificationDocumentType: 'BIRTH_CERTIFICATE', documentExpiryDate: '2034-01-01' },
  ])('shows %j with the person', (fields) => expectTaken(fields));

  it.each(Object.keys(identification))('refuses an identification without %s', (field) =>
    expectRefused(field, without(identification, field)),
  );

  it.each([
    ['externalVerifier', 'vendor'],
    ['identificationType', ''],
    ['documentNumber', ''],
    ['documentCountry', 'AUT'],
    ['documentCountry', 'UK'],
    ['documentIssuer', 7],
    ['documentIssueDate', '2019'],
    ['documentExpiryDate', 'never'],
    ['documentExpiryDate', '2030-01-01T00:00:00Z'],
    ['documentPhoto', 'x'],
    ['identificationId', '3d813cbb-47fb-42ba-91df-831e1593ac29'],
  ])('refuses the %s %j', (field, value) => expectRefused(field, { ...identification, [field]: value }));
});

describe('4.2 identificationDate: within the last 24 months', () => {
  it.each(['2024-11-21', '2025-02-28', '2026-11-21'])(
    'accepts the identificationDate %s on 2026-11-21',
    (identificationDate) => expectTaken({ identificationDate }),
  );
  it.each(['2024-11-20', '2026-11-22', '2026-02-30', 'yesterday'])(
    'refuses the identificationDate %s on 2026-11-21',
    (identificationDate) => expectRefused('identificationDate', { ...identification, identificationDate }),
  );
});

describe('8 identificationDate: within the last 24 months', () => {
  it('counts the 24 months from the day of the call', async () => {
    await create({ ...identification, identificationDate: '2024-11-21' });
    await contract().advance(86_400);
    await expectRefused('identificationDate', { ...identification, identificationDate: '2024-11-21' });
  });
});

describe('4.2 identificationDocumentType: ID and BIRTH_CERTIFICATE', () => {
  it.each([{ identificationDocumentType: 'ID' }, { identificationDocumentType: 'BIRTH_CERTIFICATE', ...parents }])(
    'accepts %j',
    (fields) => expectTaken(fields),
  );
  it('refuses an identificationDocumentType in small letters', () =>
    expectRefused('identificationDocumentType', { ...identification, identificationDocumentType: 'id' }));
});

describe('4.2 documentMotherFullName + 4.2 documentMotherResidenceCity + 4.2 documentFatherFullName + 4.2 documentFatherResidenceCity: mandatory with BIRTH_CERTIFICATE', () => {
  it.each(Object.entries(parents))(
    'requires %s with a birth certificate, and takes it with an ID',
    async (field, value) => {
      await expectRefused(field, without(birthCertificate, field));
      await expectRefused(field, { ...birthCertificate, [field]: '' });
      const body = { ...identification, [field]: value };
      expect((await createAnyway(body)).status).toBe(202);
    },
  );
});
