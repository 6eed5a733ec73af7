import { describe, expect, it } from 'vitest';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import { createNaturalPerson } from '#shared/platform/resources/create-natural-person.ts';
import type { NewNaturalPerson } from '#shared/platform/resources/natural-person-schema.ts';
import { getNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { useContract } from './contract.ts';
import { createPerson, makePerson } from './persons.ts';
import { httpError, refused } from './refused.ts';

const contract = useContract();

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;

const readBack = async (person: Partial<NewNaturalPerson>) =>
  getNaturalPerson(contract().client, await createPerson(contract(), person));

const createAnyway = (person: object) =>
  contract().call('POST', '/entities/natural-persons', { body: { ...samplePerson, ...person } });

/** Expects that the client and the platform both refuse the person, and name the field. */
async function expectRefused(field: string, person: object): Promise<void> {
  const { client } = contract();
  const call = createNaturalPerson(client, { ...samplePerson, ...person } as NewNaturalPerson);
  await expect(call).rejects.toBeInstanceOf(PlatformInputError);
  await expect(call).rejects.toThrow(field);
  expect(await createAnyway(person)).toEqual(refused(400, field));
}

async function expectKept(person: Partial<NewNaturalPerson>): Promise<void> {
  expect(await readBack(person)).toMatchObject(person);
}

describe('2.4 naturalPersonId: a UUID', () => {
  it('returns the naturalPersonId of the create', async () => {
    const naturalPersonId = await createPerson(contract());
    expect(naturalPersonId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await getNaturalPerson(contract().client, naturalPersonId)).toMatchObject({ naturalPersonId });
  });
});

describe('2.4 globalId + 2.4 isPep, isPepRelated, isSanction + 2.4 riskLevel + 2.4 naturalPersonStatus + 2.4 naturalPersonIdentifications + 2.4 naturalPersonSignedDocuments + 3.1 CREATED: returned', () => {
  it('returns the system fields with a new person', async () => {
    expect(await readBack({})).toMatchObject({
      globalId: expect.stringMatching(/./),
      isPep: false,
      isPepRelated: false,
      isSanction: false,
      riskLevel: 'LOW',
      naturalPersonStatus: 'CREATED',
      naturalPersonIdentifications: [],
      naturalPersonSignedDocuments: [],
    });
  });
});

describe('2.4 createdOn, modifiedOn, verifiedOn: returned', () => {
  it('returns the times, and verifiedOn when the person is ACTIVE', async () => {
    const created = await readBack({});
    expect(created).toMatchObject({
      createdOn: expect.stringMatching(dateTime),
      modifiedOn: expect.stringMatching(dateTime),
    });
    expect(created).not.toHaveProperty('verifiedOn');
    const active = await getNaturalPerson(contract().client, await makePerson(contract()));
    expect(active.verifiedOn).toMatch(dateTime);
  });
});

describe('2.4 naturalPersonId + 2.4 globalId + 2.4 createdOn, modifiedOn, verifiedOn + 2.4 deathDay + 2.4 isPep, isPepRelated, isSanction + 2.4 riskLevel + 2.4 naturalPersonStatus + 2.4 naturalPersonIdentifications + 2.4 naturalPersonSignedDocuments: no fields of the create body', () => {
  it.each([
    { naturalPersonId: '3d813cbb-47fb-42ba-91df-831e1593ac29' },
    { globalId: 'a' },
    { createdOn: '2026-11-21T08:00:00Z' },
    { modifiedOn: '2026-11-21T08:00:00Z' },
    { verifiedOn: '2026-11-21T08:00:00Z' },
    { deathDay: '2026-11-01' },
    { isPep: true },
    { isPepRelated: true },
    { isSanction: true },
    { riskLevel: 'LOW' },
    { naturalPersonStatus: 'ACTIVE' },
    { naturalPersonIdentifications: [] },
    { naturalPersonSignedDocuments: [] },
  ])('refuses a create with %j', (person) => expectRefused(Object.keys(person)[0] ?? '', person));
});

describe('2.4 gender + 2.4 title + 2.4 maritalStatus + 2.4 professionGroup + 2.4 sourceOfIncome + 2.4 originOfAssets: words of an enum', () => {
  it('keeps words of each enum', () =>
    expectKept({
      gender: 'OTHER_2',
      title: 'PROFESSOR',
      maritalStatus: 'MARRIED',
      professionGroup: 'EMPLOYED',
      sourceOfIncome: ['INCOME_FROM_EMPLOYMENT'],
      originOfAssets: ['NON_EMPLOYED_LABOR'],
    }));

  it.each([
    ['gender', 1],
    ['gender', 'male'],
    ['gender', 'TWO WORDS'],
    ['title', 'Prof.'],
    ['title', ''],
    ['maritalStatus', 'married'],
    ['professionGroup', 'employed'],
    ['sourceOfIncome', 'INCOME_FROM_EMPLOYMENT'],
    ['originOfAssets', 'NON_EMPLOYED_LABOR'],
  ])('refuses the %s %j', (field, value) => expectRefused(field, { [field]: value }));

  it('refuses a word in small letters within a list', () =>
    expectRefused('originOfAssets.0', { originOfAssets: ['inheritance'] }));
});

describe('2.4 firstName: all first names, one space between them', () => {
  it.each(['Erika', 'Erika Maria', 'José-María de'])('keeps the firstName %j', (firstName) =>
    expectKept({ firstName }),
  );
  it.each(['', ' Erika', 'Erika ', 'Erika  Maria', 'Erika\n'])('refuses the firstName %j', (firstName) =>
    expectRefused('firstName', { firstName }),
  );
});

describe('2.4 lastName + 2.4 birthPlace + 2.4 profession + 2.4 externalId: text', () => {
  it('keeps texts', () =>
    expectKept({
      lastName: 'von der Heide',
      birthPlace: 'Św. Lipka',
      profession: 'Engineer',
      externalId: 'customer/4711',
    }));

  it.each([
    ['lastName', ''],
    ['birthPlace', ''],
    ['profession', 7],
    ['externalId', ''],
    ['externalId', 7],
  ])('refuses the %s %j', (field, value) => expectRefused(field, { [field]: value }));
});

describe('2.4 birthDay + 2 date: an ISO 8601 calendar date', () => {
  it('keeps a birthDay of a leap year', () => expectKept({ birthDay: '2000-02-29' }));
  it.each(['1900-02-29', '2001-02-29', '1990-13-01', '1990-1-1', '29.02.2000', '2000-02-29T00:00:00Z', '', 19_900_101])(
    'refuses the birthDay %j',
    (birthDay) => expectRefused('birthDay', { birthDay }),
  );
});

describe('2.4 birthCountry + 2 country: ISO 3166-1 alpha-2', () => {
  it.each(['DE', 'AX', 'ZW'])('keeps the birthCountry %s', (birthCountry) => expectKept({ birthCountry }));
  it.each(['DEU', 'de', 'XX', 'XK', 'UK', 'EU', ''])('refuses the birthCountry %j', (birthCountry) =>
    expectRefused('birthCountry', { birthCountry }),
  );
});

describe('2.4 language + 2 language: ISO 639-1, EU languages only', () => {
  it.each(['de', 'ga', 'mt', 'hr'])('keeps the language %s', (language) => expectKept({ language }));
  it.each(['tr', 'no', 'uk', 'ca', 'DE', 'deu', ''])('refuses the language %j', (language) =>
    expectRefused('language', { language }),
  );
});

describe('2.4 isUsNationality + 2.4 annualIncomeNet + 2.4 availableAssets: true or false, and numbers', () => {
  it('keeps a boolean and numbers', () =>
    expectKept({
      isUsNationality: true,
      annualIncomeNet: 50_000.5,
      availableAssets: 0,
    }));
  it.each([{ isUsNationality: 'no' }, { annualIncomeNet: '50000' }, { availableAssets: '0' }])(
    'refuses text: %j',
    (person) => expectRefused(Object.keys(person)[0] ?? '', person),
  );
});

describe('2.4 nationalities + 2.4 taxDetails + 2.4 naceSectors + 2.4 contact + 2.4 mainAddress + 2.4 correspondenceAddress + 2.4 Address: objects with the listed fields', () => {
  const address = {
    street: 'Weg',
    streetNumber: '1 a',
    city: 'Bonn',
    zip: '53111',
    additionalInfo: '2nd',
    country: 'DE',
  };

  it('keeps all fields of the objects', () =>
    expectKept({
      nationalities: [{ countryCode: 'DE', nationalIdentifier: '12345', nationalIdentifierType: 'CONCAT' }],
      taxDetails: [
        { taxId: '1', taxResidency: 'DE' },
        { noTinConfirmation: true, taxResidency: 'AE' },
      ],
      naceSectors: [{ section: 'K', description: 'Finance' }],
      contact: { phone: '+49 30 1', email: 'a@b.example', fax: '+49 30 2', website: 'https://b.example' },
      mainAddress: address,
      correspondenceAddress: address,
    }));

  it.each([
    ['nationalities.0.passport', { nationalities: [{ countryCode: 'DE', passport: 'x' }] }],
    ['nationalities.0.countryCode', { nationalities: [{ countryCode: 'Germany' }] }],
    ['nationalities.0.nationalIdentifierType', { nationalities: [{ nationalIdentifierType: 'concat' }] }],
    ['taxDetails.0.taxResidency', { taxDetails: [{ taxResidency: 'Germany' }] }],
    ['taxDetails.0.taxResidency', { taxDetails: [{ taxResidency: '' }] }],
    ['taxDetails.0.id', { taxDetails: [{ id: '1' }] }],
    ['taxDetails.0.noTinConfirmation', { taxDetails: [{ noTinConfirmation: 1 }] }],
    ['naceSectors.0.code', { naceSectors: [{ section: 'K', code: '1' }] }],
    ['contact.pager', { contact: { pager: '1' } }],
    ['mainAddress.country', { mainAddress: { country: 'Germany' } }],
    ['mainAddress.district', { mainAddress: { ...address, district: 'NRW' } }],
    ['correspondenceAddress.country', { correspondenceAddress: { country: 'Germany' } }],
  ])('refuses the field %s of %j', (field, person) => expectRefused(field, person));
});

describe('2.4 externalId: unique', () => {
  it('answers a conflict to a second person of the same externalId', async () => {
    await createPerson(contract(), { externalId: 'one' });
    await expect(createNaturalPerson(contract().client, { ...samplePerson, externalId: 'one' })).rejects.toEqual(
      httpError(409, { condition: 'CONFLICT', isRetryable: false }),
    );
    const { body } = await contract().call('GET', '/entities/natural-persons');
    expect(body).toMatchObject({ data: [{ externalId: 'one' }] });
  });
});

describe('2 identifiers: UUIDs', () => {
  it('refuses the id 1 on the platform', async () => {
    expect(await contract().call('GET', '/entities/natural-persons/1')).toEqual(refused(400, 'naturalPersonId'));
  });
});

describe('2 date-time: ISO 8601, UTC', () => {
  it('is later for what happens later, also within a millisecond', async () => {
    const one = await readBack({ externalId: 'one' });
    const other = await readBack({ externalId: 'other' });
    expect([one.createdOn, one.modifiedOn, other.createdOn, other.modifiedOn]).toEqual(
      new Array(4).fill(expect.stringMatching(dateTime)),
    );
    expect(one.createdOn).not.toBe(other.createdOn);
  });
});

describe('2.4 SignedDocument: partnerDocumentId, name, documentType, version, customerId and times', () => {
  it('returns the document with the customer who signed it', async () => {
    const id = await makePerson(contract());
    const document = { name: 'Terms and conditions', documentType: 'TERMS_AND_CONDITIONS', version: 3 };
    await contract().control('POST', `/natural-persons/${id}/signed-documents`, document);
    expect((await getNaturalPerson(contract().client, id)).naturalPersonSignedDocuments).toEqual([
      {
        ...document,
        partnerDocumentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        customerId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        createdOn: expect.stringMatching(dateTime),
        modifiedOn: expect.stringMatching(dateTime),
      },
    ]);
  });
});
