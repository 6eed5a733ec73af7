import { beforeEach, describe, expect, it } from 'vitest';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import type { NewNaturalPersonIdentification } from '#shared/platform/resources/natural-person-identification.ts';
import { createNaturalPersonIdentification, getNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import { recentIdentification as identification } from '#test/shared/platform/resources/sample-persons.ts';
import { useContract } from './contract.ts';
import { makePerson, personPath } from './persons.ts';
import { httpError, refused } from './refused.ts';

const contract = useContract();

const parents = {
  documentMotherFullName: 'Anna Mustermann',
  documentMotherResidenceCity: 'Berlin',
  documentFatherFullName: 'Otto Mustermann',
  documentFatherResidenceCity: 'Bonn',
};
/** Of a minor, until the day on which the person comes of age. */
const birthCertificate = {
  ...identification,
  identificationDocumentType: 'BIRTH_CERTIFICATE',
  documentExpiryDate: '2034-01-01',
  ...parents,
};

let id: string;
beforeEach(async () => {
  id = await makePerson(contract());
});
/** Of a person born on this day, from now on. */
const useMinor = async (birthDay = '2016-01-01') => {
  id = await makePerson(contract(), 'ACTIVE', { birthDay });
};

const create = (body: NewNaturalPersonIdentification) =>
  createNaturalPersonIdentification(contract().client, id, id, body, { today: contract().platform.clock.now() });
const createAnyway = (body: unknown) =>
  contract().call('POST', personPath(id, '/identification'), { body, headers: { 'requestor-id': id } });

/** Expects that client and platform accept the fields, and that the person shows all of them. */
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

describe('2.4 NaturalPersonIdentification + 4.2 externalVerifier + 4.2 identificationType + 4.2 identificationDocumentType + 4.2 documentNumber + 4.2 documentCountry + 4.2 documentIssuer + 4.2 documentIssueDate + 4.2 documentExpiryDate: the fields of an identification', () => {
  it('shows the fields with the person, with an id and times', async () => {
    await create(identification);
    await contract().advance(10);
    const { naturalPersonIdentifications } = await getNaturalPerson(contract().client, id);
    const time = expect.stringMatching(/^2026-11-21T08:00:\d\d(\.\d{1,9})?Z$/);
    expect(naturalPersonIdentifications?.at(-1)).toEqual({
      ...identification,
      identificationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdOn: time,
      modifiedOn: time,
    });
  });

  it.each(Object.keys(identification))('refuses an identification without %s', (field) =>
    expectRefused(field, without(identification, field)),
  );

  it.each([
    ['externalVerifier', 'vendor'],
    ['identificationType', ''],
    ['identificationDocumentType', 'id'],
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

describe('4.2 externalVerifier + 4.2 identificationType + 7 Not Implemented: a single vendor and type', () => {
  it.each([{ externalVerifier: 'ANOTHER_VENDOR' }, { identificationType: 'IN_PERSON' }])(
    'answers Not Implemented to %j',
    async (other) => {
      await expect(create({ ...identification, ...other })).rejects.toEqual(
        httpError(501, { condition: 'NOT_IMPLEMENTED', isRetryable: false }),
      );
      await contract().advance(10);
      const { naturalPersonIdentifications = [] } = await getNaturalPerson(contract().client, id);
      expect(naturalPersonIdentifications).not.toContainEqual(expect.objectContaining(other));
    },
  );

  it('supports only the vendor of the setting externalVerifier', async () => {
    contract().platform.settings.change({ externalVerifier: 'ANOTHER_VENDOR' });
    await expectTaken({ externalVerifier: 'ANOTHER_VENDOR' });
    await expect(create(identification)).rejects.toEqual(httpError(501));
  });
});

describe('4.2 documentExpiryDate: a document that has not expired; of a birth certificate, when the person comes of age', () => {
  it.each(['ID', 'PASSPORT'])('accepts an %s until the day on which it expires', async (identificationDocumentType) => {
    await expectTaken({ identificationDocumentType, documentExpiryDate: '2026-11-21' });
    await contract().advance(86_400);
    const expired = { ...identification, identificationDocumentType, documentExpiryDate: '2026-11-21' };
    expect(await createAnyway(expired)).toEqual(refused(400, 'documentExpiryDate'));
  });

  it.each([
    ['2016-01-01', '2034-01-01'],
    ['2008-11-21', '2026-11-21'],
    ['2016-02-29', '2034-03-01'],
  ])('accepts the birth certificate of a person born on %s with the date %s', async (birthDay, documentExpiryDate) => {
    await useMinor(birthDay);
    await expectTaken({ ...birthCertificate, documentExpiryDate });
  });

  it.each([
    ['a day early', '2016-01-01', '2033-12-31'],
    ['a day late', '2016-01-01', '2034-01-02'],
    ['of a person of age, in the past', '1990-02-03', '2008-02-03'],
    ['of a person of age, in the future', '1990-02-03', '2034-01-01'],
  ])('refuses a birth certificate with another date: %s', async (_, birthDay, documentExpiryDate) => {
    await useMinor(birthDay);
    const certificate = { ...birthCertificate, documentExpiryDate };
    expect(await createAnyway(certificate)).toEqual(refused(400, 'documentExpiryDate'));
  });
});

describe('4.2 identificationDate + 8 identificationDate: within the last 24 months', () => {
  it.each(['2024-11-21', '2025-02-28', '2026-11-21'])(
    'accepts the identificationDate %s on 2026-11-21',
    (identificationDate) => expectTaken({ identificationDate }),
  );
  it.each(['2024-11-20', '2026-11-22', '2026-02-30', 'yesterday'])(
    'refuses the identificationDate %s on 2026-11-21',
    (identificationDate) => expectRefused('identificationDate', { ...identification, identificationDate }),
  );
});

describe('4.2 identificationDocumentType + 4.2 documentMotherFullName + 4.2 documentMotherResidenceCity + 4.2 documentFatherFullName + 4.2 documentFatherResidenceCity: mandatory with BIRTH_CERTIFICATE', () => {
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
