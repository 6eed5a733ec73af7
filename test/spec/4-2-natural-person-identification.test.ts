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

describe('4.2 externalVerifier: the vendor performing the identification', () => {
  it('shows the externalVerifier with the person', () => expectTaken({ externalVerifier: 'EXTERNAL_VERIFIER_ID' }));
  it('refuses an identification without an externalVerifier', () =>
    expectRefused('externalVerifier', without(identification, 'externalVerifier')));
});

describe('4.2 identificationType: the method', () => {
  it('shows the identificationType with the person', () => expectTaken({ identificationType: 'VIDEO_IDENT' }));
  it('refuses an identification without an identificationType', () =>
    expectRefused('identificationType', without(identification, 'identificationType')));
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
  it('accepts the identificationDocumentType ID', () => expectTaken({ identificationDocumentType: 'ID' }));
  it('accepts the identificationDocumentType BIRTH_CERTIFICATE', () =>
    expectTaken({ identificationDocumentType: 'BIRTH_CERTIFICATE', ...parents }));
  it('refuses an identification without an identificationDocumentType', () =>
    expectRefused('identificationDocumentType', without(identification, 'identificationDocumentType')));
});

describe('4.2 documentNumber: text', () => {
  it('shows the documentNumber with the person', () => expectTaken({ documentNumber: 'L01X00T47' }));
  it('refuses an identification without a documentNumber', () =>
    expectRefused('documentNumber', without(identification, 'documentNumber')));
});

describe('4.2 documentCountry: the issuing country', () => {
  it('shows the documentCountry with the person', () => expectTaken({ documentCountry: 'AT' }));
  it('refuses a documentCountry that is no country code', () =>
    expectRefused('documentCountry', { ...identification, documentCountry: 'AUT' }));
});

describe('4.2 documentIssuer: the issuing authority', () => {
  it('shows the documentIssuer with the person', () => expectTaken({ documentIssuer: 'Magistrat Wien' }));
  it('refuses an identification without a documentIssuer', () =>
    expectRefused('documentIssuer', without(identification, 'documentIssuer')));
});

describe('4.2 documentIssueDate: a date', () => {
  it('shows the documentIssueDate with the person', () => expectTaken({ documentIssueDate: '2019-12-31' }));
  it('refuses a documentIssueDate that is no date', () =>
    expectRefused('documentIssueDate', { ...identification, documentIssueDate: '2019' }));
});

describe('4.2 documentExpiryDate: a date; of a birth certificate, when the person comes of age', () => {
  it('shows the documentExpiryDate with the person', () => expectTaken({ documentExpiryDate: '2031-05-06' }));
  it('shows the documentExpiryDate of a birth certificate', () =>
    expectTaken({ ...parents, identificationDocumentType: 'BIRTH_CERTIFICATE', documentExpiryDate: '2034-01-01' }));
  it('refuses a documentExpiryDate that is no date', () =>
    expectRefused('documentExpiryDate', { ...identification, documentExpiryDate: 'never' }));
});

describe('4.2 documentMotherFullName: mandatory with BIRTH_CERTIFICATE, and only then', () => {
  const field = 'documentMotherFullName';
  it('requires documentMotherFullName with a birth certificate', () =>
    expectRefused(field, without(birthCertificate, field)));
  it('refuses documentMotherFullName without a birth certificate', () =>
    expectRefused(field, { ...identification, [field]: parents[field] }));
});

describe('4.2 documentMotherResidenceCity: mandatory with BIRTH_CERTIFICATE, and only then', () => {
  const field = 'documentMotherResidenceCity';
  it('requires documentMotherResidenceCity with a birth certificate', () =>
    expectRefused(field, without(birthCertificate, field)));
  it('refuses documentMotherResidenceCity without a birth certificate', () =>
    expectRefused(field, { ...identification, [field]: parents[field] }));
});

describe('4.2 documentFatherFullName: mandatory with BIRTH_CERTIFICATE, and only then', () => {
  const field = 'documentFatherFullName';
  it('requires documentFatherFullName with a birth certificate', () =>
    expectRefused(field, without(birthCertificate, field)));
  it('refuses documentFatherFullName without a birth certificate', () =>
    expectRefused(field, { ...identification, [field]: parents[field] }));
});

describe('4.2 documentFatherResidenceCity: mandatory with BIRTH_CERTIFICATE, and only then', () => {
  const field = 'documentFatherResidenceCity';
  it('requires documentFatherResidenceCity with a birth certificate', () =>
    expectRefused(field, without(birthCertificate, field)));
  it('refuses documentFatherResidenceCity without a birth certificate', () =>
    expectRefused(field, { ...identification, [field]: parents[field] }));
});
