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

/** Taken by both, and shown with the person. */
async function expectTaken(fields: Partial<NewNaturalPersonIdentification>): Promise<void> {
  await create({ ...identification, ...fields });
  await contract().advance(10);
  const { naturalPersonIdentifications } = await getNaturalPerson(contract().client, id);
  expect(naturalPersonIdentifications?.at(-1)).toMatchObject(fields);
}

/** Refused by the client and by the platform, which name the field. */
async function expectRefused(field: string, body: object): Promise<void> {
  const call = create(body as NewNaturalPersonIdentification);
  await expect(call).rejects.toBeInstanceOf(PlatformInputError);
  await expect(call).rejects.toThrow(field);
  expect(await createAnyway(body)).toEqual(refused(400, field));
}

const without = (body: object, field: string) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));

describe('4.2 externalVerifier: the vendor performing the identification', () => {
  it('is shown', () => expectTaken({ externalVerifier: 'EXTERNAL_VERIFIER_ID' }));
  it('is required', () => expectRefused('externalVerifier', without(identification, 'externalVerifier')));
});

describe('4.2 identificationType: the method', () => {
  it('is shown', () => expectTaken({ identificationType: 'VIDEO_IDENT' }));
  it('is required', () => expectRefused('identificationType', without(identification, 'identificationType')));
});

describe('4.2 identificationDate: within the last 24 months', () => {
  it.each(['2024-11-21', '2025-02-28', '2026-11-21'])('is %s on 2026-11-21', (identificationDate) =>
    expectTaken({ identificationDate }),
  );
  it.each(['2024-11-20', '2026-11-22', '2026-02-30', 'yesterday'])('is not %s', (identificationDate) =>
    expectRefused('identificationDate', { ...identification, identificationDate }),
  );
});

describe('8 identificationDate: within the last 24 months', () => {
  it('is by the day on which it is sent', async () => {
    await create({ ...identification, identificationDate: '2024-11-21' });
    await contract().advance(86_400);
    await expectRefused('identificationDate', { ...identification, identificationDate: '2024-11-21' });
  });
});

describe('4.2 identificationDocumentType: ID and BIRTH_CERTIFICATE', () => {
  it('is ID', () => expectTaken({ identificationDocumentType: 'ID' }));
  it('is BIRTH_CERTIFICATE', () => expectTaken({ identificationDocumentType: 'BIRTH_CERTIFICATE', ...parents }));
  it('is required', () =>
    expectRefused('identificationDocumentType', without(identification, 'identificationDocumentType')));
});

describe('4.2 documentNumber: text', () => {
  it('is shown', () => expectTaken({ documentNumber: 'L01X00T47' }));
  it('is required', () => expectRefused('documentNumber', without(identification, 'documentNumber')));
});

describe('4.2 documentCountry: the issuing country', () => {
  it('is shown', () => expectTaken({ documentCountry: 'AT' }));
  it('is a country code', () => expectRefused('documentCountry', { ...identification, documentCountry: 'AUT' }));
});

describe('4.2 documentIssuer: the issuing authority', () => {
  it('is shown', () => expectTaken({ documentIssuer: 'Magistrat Wien' }));
  it('is required', () => expectRefused('documentIssuer', without(identification, 'documentIssuer')));
});

describe('4.2 documentIssueDate: a date', () => {
  it('is shown', () => expectTaken({ documentIssueDate: '2019-12-31' }));
  it('is no other text', () => expectRefused('documentIssueDate', { ...identification, documentIssueDate: '2019' }));
});

describe('4.2 documentExpiryDate: a date; of a birth certificate, when the person comes of age', () => {
  it('is shown', () => expectTaken({ documentExpiryDate: '2031-05-06' }));
  it('is shown with a birth certificate', () =>
    expectTaken({ ...parents, identificationDocumentType: 'BIRTH_CERTIFICATE', documentExpiryDate: '2034-01-01' }));
  it('is no other text', () => expectRefused('documentExpiryDate', { ...identification, documentExpiryDate: 'never' }));
});

describe('4.2 documentMotherFullName: mandatory with BIRTH_CERTIFICATE, and only then', () => {
  const field = 'documentMotherFullName';
  it('is required with it', () => expectRefused(field, without(birthCertificate, field)));
  it('is refused without it', () => expectRefused(field, { ...identification, [field]: parents[field] }));
});

describe('4.2 documentMotherResidenceCity: mandatory with BIRTH_CERTIFICATE, and only then', () => {
  const field = 'documentMotherResidenceCity';
  it('is required with it', () => expectRefused(field, without(birthCertificate, field)));
  it('is refused without it', () => expectRefused(field, { ...identification, [field]: parents[field] }));
});

describe('4.2 documentFatherFullName: mandatory with BIRTH_CERTIFICATE, and only then', () => {
  const field = 'documentFatherFullName';
  it('is required with it', () => expectRefused(field, without(birthCertificate, field)));
  it('is refused without it', () => expectRefused(field, { ...identification, [field]: parents[field] }));
});

describe('4.2 documentFatherResidenceCity: mandatory with BIRTH_CERTIFICATE, and only then', () => {
  const field = 'documentFatherResidenceCity';
  it('is required with it', () => expectRefused(field, without(birthCertificate, field)));
  it('is refused without it', () => expectRefused(field, { ...identification, [field]: parents[field] }));
});
