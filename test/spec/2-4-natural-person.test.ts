import { describe, expect, it } from 'vitest';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import { createNaturalPerson } from '#shared/platform/resources/create-natural-person.ts';
import type { NewNaturalPerson } from '#shared/platform/resources/natural-person-schema.ts';
import { getNaturalPerson, updateNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { useContract } from './contract.ts';
import { createPerson, makePerson } from './persons.ts';
import { httpError, refused } from './refused.ts';

const contract = useContract();

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;
const documentId = '3d813cbb-47fb-42ba-91df-831e1593ac29';

const readBack = async (person: Partial<NewNaturalPerson>) =>
  getNaturalPerson(contract().client, await createPerson(contract(), person));

const createAnyway = (person: object) =>
  contract().call('POST', '/entities/natural-persons', { body: { ...samplePerson, ...person } });

/** Refused by the client, which names the field, and by the platform, which does too; neither creates a person. */
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

describe('2.4 naturalPersonId: a UUID, read-only', () => {
  it('is that of the create', async () => {
    const naturalPersonId = await createPerson(contract());
    expect(naturalPersonId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await getNaturalPerson(contract().client, naturalPersonId)).toMatchObject({ naturalPersonId });
  });

  it('cannot be written', () => expectRefused('naturalPersonId', { naturalPersonId: documentId }));
});

describe('2.4 globalId: read-only', () => {
  it('is returned', async () => expect((await readBack({})).globalId).toEqual(expect.any(String)));
  it('cannot be written', () => expectRefused('globalId', { globalId: 'a' }));
});

describe('2.4 createdOn, modifiedOn, verifiedOn: read-only', () => {
  it('are returned, the last of them once the person is ACTIVE', async () => {
    expect(await readBack({})).toMatchObject({
      createdOn: expect.stringMatching(dateTime),
      modifiedOn: expect.stringMatching(dateTime),
    });
    const active = await getNaturalPerson(contract().client, await makePerson(contract()));
    expect(active.verifiedOn).toMatch(dateTime);
  });

  it.each(['createdOn', 'modifiedOn', 'verifiedOn'])('cannot be written: %s', (field) =>
    expectRefused(field, { [field]: '2026-11-21T08:00:00Z' }),
  );
});

describe('2.4 deathDay: returned, and no field of the create body', () => {
  it('is what an update says', async () => {
    const { client, advance } = contract();
    const id = await makePerson(contract());
    await updateNaturalPerson(client, id, id, { naturalPersonUpdateData: { deathDay: '2026-11-01' }, documentId });
    await advance(10);
    expect((await getNaturalPerson(client, id)).deathDay).toBe('2026-11-01');
  });

  it('cannot be written by create', () => expectRefused('deathDay', { deathDay: '2026-11-01' }));
});

describe('2.4 isPep, isPepRelated, isSanction: read-only', () => {
  it('are returned', async () => {
    const flag = expect.any(Boolean);
    expect(await readBack({})).toMatchObject({ isPep: flag, isPepRelated: flag, isSanction: flag });
  });

  it.each(['isPep', 'isPepRelated', 'isSanction'])('cannot be written: %s', (field) =>
    expectRefused(field, { [field]: true }),
  );
});

describe('2.4 riskLevel: read-only', () => {
  it('is LOW', async () => expect((await readBack({})).riskLevel).toBe('LOW'));
  it('cannot be written', () => expectRefused('riskLevel', { riskLevel: 'LOW' }));
});

describe('2.4 naturalPersonStatus: read-only', () => {
  it('is returned', async () => expect((await readBack({})).naturalPersonStatus).toBe('CREATED'));
  it('cannot be written', () => expectRefused('naturalPersonStatus', { naturalPersonStatus: 'ACTIVE' }));
});

describe('2.4 naturalPersonIdentifications: read-only', () => {
  it('are none at first', async () => expect((await readBack({})).naturalPersonIdentifications).toEqual([]));
  it('cannot be written', () => expectRefused('naturalPersonIdentifications', { naturalPersonIdentifications: [] }));
});

describe('2.4 naturalPersonSignedDocuments: read-only', () => {
  it('are a list', async () => expect((await readBack({})).naturalPersonSignedDocuments).toEqual(expect.any(Array)));
  it('cannot be written', () => expectRefused('naturalPersonSignedDocuments', { naturalPersonSignedDocuments: [] }));
});

describe('2.4 gender: a word of an enum', () => {
  it('is MALE', () => expectKept({ gender: 'MALE' }));
  it('is no number', () => expectRefused('gender', { gender: 1 }));
});

describe('2.4 maritalStatus: a word of an enum', () => {
  it('is MARRIED', () => expectKept({ maritalStatus: 'MARRIED' }));
  it('is no text in small letters', () => expectRefused('maritalStatus', { maritalStatus: 'married' }));
});

describe('2.4 professionGroup: a word of an enum', () => {
  it('is EMPLOYED', () => expectKept({ professionGroup: 'EMPLOYED' }));
  it('is no text in small letters', () => expectRefused('professionGroup', { professionGroup: 'employed' }));
});

describe('2.4 title: a word of an enum; changing it needs a document', () => {
  it('is PROFESSOR', () => expectKept({ title: 'PROFESSOR' }));
  it('is no text in small letters', () => expectRefused('title', { title: 'Prof.' }));

  it('is changed with a document', async () => {
    const { client, advance } = contract();
    const id = await makePerson(contract());
    const naturalPersonUpdateData = { title: 'PROFESSOR' };
    await expect(updateNaturalPerson(client, id, id, { naturalPersonUpdateData })).rejects.toThrow(/documentId.*title/);
    await updateNaturalPerson(client, id, id, { naturalPersonUpdateData, documentId });
    await advance(10);
    expect((await getNaturalPerson(client, id)).title).toBe('PROFESSOR');
  });
});

describe('2.4 firstName: all first names, one space between them', () => {
  it.each(['Erika', 'Erika Maria', 'José-María de'])('is %j', (firstName) => expectKept({ firstName }));
  it.each(['', ' Erika', 'Erika ', 'Erika  Maria'])('is not %j', (firstName) =>
    expectRefused('firstName', { firstName }),
  );
});

describe('2.4 lastName: changing it needs a document', () => {
  it('is kept', () => expectKept({ lastName: 'von der Heide' }));

  it('is changed with a document', async () => {
    const { client, advance } = contract();
    const id = await makePerson(contract());
    const naturalPersonUpdateData = { lastName: 'Musterfrau' };
    await expect(updateNaturalPerson(client, id, id, { naturalPersonUpdateData })).rejects.toThrow(/documentId/);
    await updateNaturalPerson(client, id, id, { naturalPersonUpdateData, documentId });
    await advance(10);
    expect((await getNaturalPerson(client, id)).lastName).toBe('Musterfrau');
  });
});

describe('2.4 birthDay: a date', () => {
  it('is a day', () => expectKept({ birthDay: '2000-02-29' }));
  it.each(['2001-02-29', '29.02.2000', '2000-02-29T00:00:00Z', ''])('is not %j', (birthDay) =>
    expectRefused('birthDay', { birthDay }),
  );
});

describe('2 date: ISO 8601 calendar dates', () => {
  it('is no day that the calendar does not have', () => expectRefused('birthDay', { birthDay: '1900-02-29' }));
});

describe('2.4 birthPlace: text', () => {
  it('is kept', () => expectKept({ birthPlace: 'Św. Lipka' }));
  it('is not empty', () => expectRefused('birthPlace', { birthPlace: '' }));
});

describe('2.4 birthCountry: a country code', () => {
  it('is FR', () => expectKept({ birthCountry: 'FR' }));
  it.each(['FRA', 'fr', 'XX', ''])('is not %j', (birthCountry) => expectRefused('birthCountry', { birthCountry }));
});

describe('2 country: ISO 3166-1 alpha-2', () => {
  it.each(['DE', 'AX', 'ZW'])('is %s', (birthCountry) => expectKept({ birthCountry }));
  it.each(['UK', 'EU'])('is not %s', (birthCountry) => expectRefused('birthCountry', { birthCountry }));
});

describe('2.4 nationalities: countryCode, nationalIdentifier, nationalIdentifierType', () => {
  it('are kept', () =>
    expectKept({
      nationalities: [{ countryCode: 'DE', nationalIdentifier: '12345', nationalIdentifierType: 'CONCAT' }],
    }));

  it('have no other field', () =>
    expectRefused('nationalities.0.passport', { nationalities: [{ countryCode: 'DE', passport: 'x' }] }));

  it('have a country code', () =>
    expectRefused('nationalities.0.countryCode', { nationalities: [{ countryCode: 'Germany' }] }));
});

describe('2.4 language: of the EU', () => {
  it('is de', () => expectKept({ language: 'de' }));
  it.each(['tr', 'DE', 'deu', ''])('is not %j', (language) => expectRefused('language', { language }));
});

describe('2 language: ISO 639-1, EU languages only', () => {
  it.each(['ga', 'mt', 'hr'])('is %s', (language) => expectKept({ language }));
  it.each(['no', 'uk', 'ca'])('is not %s', (language) => expectRefused('language', { language }));
});

describe('2.4 taxDetails: taxId, taxResidency, noTinConfirmation', () => {
  it('are kept', () =>
    expectKept({
      taxDetails: [
        { taxId: '1', taxResidency: 'DE' },
        { noTinConfirmation: true, taxResidency: 'AE' },
      ],
    }));

  it('have a country code', () =>
    expectRefused('taxDetails.0.taxResidency', { taxDetails: [{ taxResidency: 'Germany' }] }));
});

describe('2.4 isUsNationality: true or false', () => {
  it('is true', () => expectKept({ isUsNationality: true }));
  it('is no text', () => expectRefused('isUsNationality', { isUsNationality: 'no' }));
});

describe('2.4 profession: text', () => {
  it('is kept', () => expectKept({ profession: 'Engineer' }));
  it('is no number', () => expectRefused('profession', { profession: 7 }));
});

describe('2.4 naceSectors: section and description', () => {
  it('are kept', () => expectKept({ naceSectors: [{ section: 'K', description: 'Finance' }] }));
  it('have no other field', () => expectRefused('naceSectors.0.code', { naceSectors: [{ section: 'K', code: '1' }] }));
});

describe('2.4 mainAddress: an Address', () => {
  it('is kept', () => expectKept({ mainAddress: { street: 'Weg', city: 'Bonn', zip: '53111', country: 'DE' } }));
  it('has a country code', () => expectRefused('mainAddress.country', { mainAddress: { country: 'Germany' } }));
});

describe('2.4 correspondenceAddress: an Address', () => {
  it('is kept', () => expectKept({ correspondenceAddress: { street: 'Weg', streetNumber: '1 a' } }));
  it('has a country code', () =>
    expectRefused('correspondenceAddress.country', { correspondenceAddress: { country: 'Germany' } }));
});

describe('2.4 Address: street, streetNumber, city, zip, additionalInfo, country', () => {
  const address = {
    street: 'Weg',
    streetNumber: '1',
    city: 'Bonn',
    zip: '53111',
    additionalInfo: '2nd floor',
    country: 'DE',
  };
  it('has all of them', () => expectKept({ mainAddress: address }));
  it('has no field that neither this section nor the profile names', () =>
    expectRefused('mainAddress.district', { mainAddress: { ...address, district: 'NRW' } }));
});

describe('2.4 annualIncomeNet: a number', () => {
  it('is kept', () => expectKept({ annualIncomeNet: 50_000.5 }));
  it('is no text', () => expectRefused('annualIncomeNet', { annualIncomeNet: '50000' }));
});

describe('2.4 availableAssets: a number', () => {
  it('is kept', () => expectKept({ availableAssets: 0 }));
  it('is no text', () => expectRefused('availableAssets', { availableAssets: '0' }));
});

describe('2.4 sourceOfIncome: words of an enum', () => {
  it('are kept', () => expectKept({ sourceOfIncome: ['INCOME_FROM_EMPLOYMENT'] }));
  it('are a list', () => expectRefused('sourceOfIncome', { sourceOfIncome: 'INCOME_FROM_EMPLOYMENT' }));
});

describe('2.4 originOfAssets: words of an enum', () => {
  it('are kept', () => expectKept({ originOfAssets: ['NON_EMPLOYED_LABOR'] }));
  it('are a list', () => expectRefused('originOfAssets', { originOfAssets: 'NON_EMPLOYED_LABOR' }));
});

describe('2.4 contact: phone, email, fax, website', () => {
  it('is kept', () =>
    expectKept({
      contact: { phone: '+49 30 1', email: 'a@b.example', fax: '+49 30 2', website: 'https://b.example' },
    }));
  it('has no other', () => expectRefused('contact.pager', { contact: { pager: '1' } }));
});

describe('2.4 externalId: the id in the system of the partner, unique', () => {
  it('is kept', () => expectKept({ externalId: 'customer/4711' }));

  it('is a conflict for a second person', async () => {
    await createPerson(contract(), { externalId: 'one' });
    await expect(createNaturalPerson(contract().client, { ...samplePerson, externalId: 'one' })).rejects.toEqual(
      httpError(409, { condition: 'CONFLICT', isRetryable: false }),
    );
  });
});

describe('2.4 NaturalPersonIdentification: id, times, and what was supplied', () => {
  it('is what the partner supplied', async () => {
    const id = await makePerson(contract());
    const identification = {
      externalVerifier: 'EXTERNAL_VERIFIER_ID',
      identificationType: 'VIDEO_IDENT',
      identificationDate: '2026-10-01',
      identificationDocumentType: 'ID',
      documentNumber: 'T22000129',
      documentCountry: 'DE',
      documentIssuer: 'Berlin',
      documentIssueDate: '2020-01-01',
      documentExpiryDate: '2030-01-01',
    };
    const path = `/entities/natural-persons/${id}/identification`;
    await contract().call('POST', path, { body: identification, headers: { 'requestor-id': id } });
    await contract().advance(10);
    const { naturalPersonIdentifications } = await getNaturalPerson(contract().client, id);
    expect(naturalPersonIdentifications?.at(-1)).toEqual({
      ...identification,
      identificationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdOn: expect.stringMatching(dateTime),
      modifiedOn: expect.stringMatching(dateTime),
    });
  });
});

describe('2 identifiers: UUIDs', () => {
  it.each(['1', 'me', '../webhooks'])('are not %j, says the client', async (id) => {
    await expect(getNaturalPerson(contract().client, id)).rejects.toThrow(/naturalPersonId: must be a UUID/);
  });

  it('are not "1", says the platform', async () => {
    expect(await contract().call('GET', '/entities/natural-persons/1')).toEqual(refused(400, 'naturalPersonId'));
  });
});

describe('2 date-time: ISO 8601, UTC', () => {
  it('is later for what happens later, be it within a millisecond', async () => {
    const one = await readBack({ externalId: 'one' });
    const other = await readBack({ externalId: 'other' });
    expect([one.createdOn, one.modifiedOn, other.createdOn, other.modifiedOn]).toEqual(
      new Array(4).fill(expect.stringMatching(dateTime)),
    );
    expect(one.createdOn).not.toBe(other.createdOn);
  });
});

describe('2.4 SignedDocument: partnerDocumentId, name, documentType, version, customerId and times', () => {
  it('is shown with who has signed it', async () => {
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
