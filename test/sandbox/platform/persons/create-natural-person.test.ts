import { beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '#test/sandbox/platform/platform-fixture.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { atStart, nobody, refusedFor, startPersons, type TestPersons } from './persons-fixture.ts';

let persons: TestPersons;
beforeEach(() => {
  persons = startPersons();
});

/** One of each writable field of section 2.4. */
const fullPerson = {
  ...samplePerson,
  title: 'PROFESSOR',
  maritalStatus: 'MARRIED',
  nationalities: [{ countryCode: 'DE', nationalIdentifier: 'DE-1', nationalIdentifierType: 'CONCAT' }],
  language: 'de',
  taxDetails: [{ taxId: '12345678901', taxResidency: 'DE', noTinConfirmation: false }],
  profession: 'Baker',
  professionGroup: 'EMPLOYED',
  naceSectors: [{ section: 'C', description: 'Manufacturing' }],
  mainAddress: { street: 'Weg', streetNumber: '1a', city: 'Ulm', zip: '89073', additionalInfo: '2nd', country: 'DE' },
  correspondenceAddress: { city: 'Wien', country: 'AT' },
  annualIncomeNet: 40_000.5,
  sourceOfIncome: ['INCOME_FROM_EMPLOYMENT'],
  availableAssets: 0,
  originOfAssets: ['NON_EMPLOYED_LABOR'],
  contact: { phone: '+49 30 1', email: 'e@partner.example', fax: '1', website: 'partner.example' },
};

describe('sandbox platform: Create natural person (section 4)', () => {
  it('answers with the naturalPersonId only', async () => {
    const answer = await persons.create();
    expect(answer).toEqual({ status: 200, body: { naturalPersonId: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
  });

  it('creates a RECEIVED person with the system fields of section 2.4', async () => {
    const naturalPersonId = await persons.createdId();
    expect((await persons.get(naturalPersonId)).body).toEqual({
      ...samplePerson,
      naturalPersonId,
      globalId: expect.stringMatching(/./),
      createdOn: atStart,
      modifiedOn: atStart,
      isPep: false,
      isPepRelated: false,
      isSanction: false,
      riskLevel: 'LOW',
      naturalPersonStatus: 'RECEIVED',
      naturalPersonIdentifications: [],
      naturalPersonSignedDocuments: [],
    });
  });

  it('keeps every writable field as given', async () => {
    const naturalPersonId = await persons.createdId(fullPerson);
    expect((await persons.get(naturalPersonId)).body).toMatchObject(fullPerson);
  });

  it('sends no notification before the checks are done', async () => {
    await persons.create();
    expect(await persons.notified()).toEqual([]);
  });
});

describe('sandbox platform: required fields of a person (section 2.4)', () => {
  it.each(['gender', 'firstName', 'lastName', 'birthDay', 'birthPlace', 'birthCountry', 'isUsNationality'])(
    'rejects a person with a missing or null field: %s',
    async (field) => {
      expect(await persons.create({ [field]: undefined })).toEqual(refusedFor(field));
      expect(await persons.create({ [field]: null })).toEqual(refusedFor(field));
    },
  );

  it('accepts a person with the required fields only', async () => {
    expect((await persons.create({ externalId: undefined })).status).toBe(200);
  });
});

describe('sandbox platform: system and unknown fields of a person (section 2.4)', () => {
  it.each([
    'naturalPersonId',
    'globalId',
    'createdOn',
    'modifiedOn',
    'verifiedOn',
    'deathDay',
    'isPep',
    'isPepRelated',
    'isSanction',
    'riskLevel',
    'naturalPersonStatus',
    'naturalPersonIdentifications',
    'naturalPersonSignedDocuments',
    'favouriteColour',
    '__proto__',
  ])('rejects the field %s', async (field) => {
    const body = JSON.stringify(samplePerson).replace('{', `{${JSON.stringify(field)}:"x",`);
    expect(await persons.send('POST', '/entities/natural-persons', body)).toEqual(refusedFor(field));
  });

  it('rejects unknown fields of nested objects', async () => {
    expect(await persons.create({ mainAddress: { town: 'Ulm' } })).toEqual(refusedFor('mainAddress.town'));
    expect(await persons.create({ contact: { telex: '1' } })).toEqual(refusedFor('contact.telex'));
    expect(await persons.create({ taxDetails: [{ id: '1' }] })).toEqual(refusedFor('taxDetails.0.id'));
  });
});

describe('sandbox platform: invalid fields of a person (section 2.4)', () => {
  it.each([
    ['gender', 'male'],
    ['gender', 'TWO WORDS'],
    ['title', ''],
    ['firstName', ''],
    ['firstName', ' Erika'],
    ['firstName', 'Erika '],
    ['firstName', 'Erika  Maria'],
    ['firstName', 'Erika\n'],
    ['firstName', 'x'.repeat(256)],
    ['lastName', ''],
    ['lastName', 'x'.repeat(256)],
    ['birthDay', '2025-02-29'],
    ['birthDay', '1990-13-01'],
    ['birthDay', '1990-1-1'],
    ['birthDay', '1990-01-01T00:00:00Z'],
    ['birthDay', 19_900_101],
    ['birthPlace', ''],
    ['birthCountry', 'de'],
    ['birthCountry', 'XK'],
    ['birthCountry', 'DEU'],
    ['language', 'DE'],
    ['language', 'tr'],
    ['isUsNationality', 'false'],
    ['annualIncomeNet', '1'],
    ['sourceOfIncome', 'INCOME_FROM_EMPLOYMENT'],
    ['externalId', ''],
    ['externalId', 7],
  ])('rejects the field %s with the value %j', async (field, value) => {
    expect(await persons.create({ [field]: value })).toEqual(refusedFor(field));
  });

  it.each([
    ['mainAddress.zip', { mainAddress: { zip: '12' } }],
    ['mainAddress.zip', { mainAddress: { zip: '12345678901' } }],
    ['mainAddress.country', { mainAddress: { country: 'Germany' } }],
    ['contact.phone', { contact: { phone: '12' } }],
    ['contact.phone', { contact: { phone: '1'.repeat(21) } }],
    ['nationalities.0.countryCode', { nationalities: [{ countryCode: 'ZZ' }] }],
    ['nationalities.0.nationalIdentifierType', { nationalities: [{ nationalIdentifierType: 'concat' }] }],
    ['taxDetails.0.taxResidency', { taxDetails: [{ taxResidency: '' }] }],
    ['originOfAssets.0', { originOfAssets: ['inheritance'] }],
  ])('rejects the nested field %s with the value %j', async (field, data) => {
    expect(await persons.create(data)).toEqual(refusedFor(field));
  });

  it.each([
    { firstName: 'Anna Maria' },
    { firstName: 'x'.repeat(255) },
    { lastName: '  ' },
    { birthDay: '2024-02-29' },
    { mainAddress: { zip: '123' }, correspondenceAddress: { zip: '1234567890' } },
    { contact: { phone: '112' } },
    { contact: { phone: '1'.repeat(20) } },
    { gender: 'OTHER_2' },
    { language: 'ga' },
    { birthCountry: 'AX' },
  ])('rejects the person %j', async (data) => {
    expect((await persons.create(data)).status).toBe(200);
  });

  it.each(['', '{', 'null', '[]', '"text"', '7'])('rejects a body that is not a person: %s', async (body) => {
    expect(await persons.send('POST', '/entities/natural-persons', body)).toEqual(
      refusal(400, 'BAD_REQUEST', expect.any(String)),
    );
  });

  it('keeps the externalId of a rejected person free', async () => {
    await persons.create({ gender: 'x' });
    expect((await persons.create()).status).toBe(200);
  });
});

describe('sandbox platform: an externalId is used once (section 7)', () => {
  const conflict = refusal(409, 'CONFLICT', expect.stringContaining('externalId'));

  it('rejects a second person with the same externalId', async () => {
    await persons.create();
    expect(await persons.create({ firstName: 'Max' })).toEqual(conflict);
    expect((await persons.send('GET', '/entities/natural-persons')).body).toMatchObject({ data: [samplePerson] });
  });

  it('rejects the externalId of a purged INVALID person', async () => {
    persons.settings.change({ checkOutcomes: { INVALID: 1 } });
    const naturalPersonId = await persons.createdId();
    await persons.clock.advance(100 * 3_600);
    expect((await persons.get(naturalPersonId)).status).toBe(404);
    expect(await persons.create()).toEqual(conflict);
  });

  it('rejects an externalId that its person has since changed', async () => {
    const naturalPersonId = await persons.madeId('ACTIVE', { externalId: 'old' });
    await persons.update(naturalPersonId, naturalPersonId, { naturalPersonUpdateData: { externalId: 'new' } });
    expect(await persons.create({ externalId: 'old' })).toEqual(conflict);
    expect(await persons.create({ externalId: 'new' })).toEqual(conflict);
  });

  it('accepts several persons without an externalId', async () => {
    expect((await persons.create({ externalId: undefined })).status).toBe(200);
    expect((await persons.create({ externalId: undefined })).status).toBe(200);
  });
});

describe('sandbox platform: setting representativeId', () => {
  it('creates an ACTIVE proxy of the representative for each new person', async () => {
    const before = await persons.createdId({ externalId: 'before' });
    const representativeId = await persons.madeId();
    await persons.request('PATCH', '/control/settings', { body: { representativeId } });
    const after = await persons.createdId({ externalId: 'after' });
    const update = { naturalPersonUpdateData: { profession: 'Baker' } };
    expect((await persons.update(representativeId, after, update)).status).toBe(202);
    expect(await persons.update(representativeId, before, update)).toEqual(
      refusal(400, 'BAD_REQUEST', 'Requestor-ID invalid'),
    );
  });
});

describe('sandbox platform: Get natural person (section 4)', () => {
  it('answers with 404 for an unknown person (section 7)', async () => {
    expect(await persons.get(nobody)).toEqual(refusal(404, 'NOT_FOUND', expect.any(String)));
  });

  it('accepts a UUID in capitals', async () => {
    const naturalPersonId = await persons.createdId();
    expect((await persons.get(naturalPersonId.toUpperCase())).body).toMatchObject({ naturalPersonId });
    expect(await persons.get('erika')).toEqual(refusedFor('naturalPersonId'));
  });
});

describe('sandbox platform: settings for additional fields of a person', () => {
  const address = (more: object) => ({ mainAddress: { city: 'Ulm', country: 'DE', ...more } });

  it('accepts and returns the state of an address by default', async () => {
    const naturalPersonId = await persons.createdId(address({ state: 'Bavaria' }));
    expect((await persons.get(naturalPersonId)).body).toMatchObject(address({ state: 'Bavaria' }));
  });

  it.each([
    ['is missing in Canada', { country: 'CA' }],
    ['is empty', { state: '' }],
    ['is too long', { state: 'x'.repeat(36) }],
    ['is no text', { state: 5 }],
  ])('rejects an address whose state %s', async (_, more) => {
    expect(await persons.create(address(more))).toEqual(refusedFor('mainAddress.state'));
    expect(await persons.create(address({ country: 'CA', state: 'Ontario' }))).toMatchObject({ status: 200 });
  });

  it('rejects fields that no setting names, each by its name', async () => {
    const refused = await persons.create({ ...address({ planet: 'Earth' }), nickname: 'Eri' });
    expect(refused).toEqual(refusedFor('mainAddress.planet'));
    expect(refused).toEqual(refusedFor('nickname'));
  });

  it('accepts the configured fields instead of the default ones', async () => {
    const body = { additionalPersonFields: ['nickname'], additionalAddressFields: { planet: ['DE'] } };
    await persons.request('PATCH', '/control/settings', { body });
    expect(await persons.create({ ...address({ planet: 'Earth' }), nickname: 'Eri' })).toMatchObject({ status: 200 });
    expect(await persons.create(address({}))).toEqual(refusedFor('mainAddress.planet'));
    expect(await persons.create(address({ planet: 'Earth', state: 'Bavaria' }))).toEqual(
      refusedFor('mainAddress.state'),
    );
    expect(await persons.madeId('ACTIVE', { nickname: 'Eri' })).toMatch(/./);
  });

  it('checks the fields of an update in the same way', async () => {
    const id = await persons.madeId();
    const update = (data: object) => persons.update(id, id, { naturalPersonUpdateData: data });
    expect(await update(address({ planet: 'Earth' }))).toEqual(
      refusedFor('naturalPersonUpdateData.mainAddress.planet'),
    );
    expect(await update(address({ country: 'CA' }))).toEqual(refusedFor('naturalPersonUpdateData.mainAddress.state'));
    expect(await update({ riskLevel: 'LOW' })).toEqual(refusedFor('naturalPersonUpdateData.riskLevel'));
    expect(await update(address({ country: 'CA', state: 'Ontario' }))).toMatchObject({ status: 202 });
  });
});
