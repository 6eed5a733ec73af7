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

describe('2.4 naturalPersonId: a UUID, read-only', () => {
  it('returns the naturalPersonId of the create', async () => {
    const naturalPersonId = await createPerson(contract());
    expect(naturalPersonId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await getNaturalPerson(contract().client, naturalPersonId)).toMatchObject({ naturalPersonId });
  });

  it('refuses a naturalPersonId in a create', () => expectRefused('naturalPersonId', { naturalPersonId: documentId }));
});

describe('2.4 globalId: read-only', () => {
  it('returns a globalId with the person', async () =>
    expect((await readBack({})).globalId).toEqual(expect.any(String)));
  it('refuses a globalId in a create', () => expectRefused('globalId', { globalId: 'a' }));
});

describe('2.4 createdOn, modifiedOn, verifiedOn: read-only', () => {
  it('returns the times, and verifiedOn when the person is ACTIVE', async () => {
    expect(await readBack({})).toMatchObject({
      createdOn: expect.stringMatching(dateTime),
      modifiedOn: expect.stringMatching(dateTime),
    });
    const active = await getNaturalPerson(contract().client, await makePerson(contract()));
    expect(active.verifiedOn).toMatch(dateTime);
  });

  it.each(['createdOn', 'modifiedOn', 'verifiedOn'])('refuses %s in a create', (field) =>
    expectRefused(field, { [field]: '2026-11-21T08:00:00Z' }),
  );
});

describe('2.4 deathDay: returned, and no field of the create body', () => {
  it('returns the deathDay of an update', async () => {
    const { client, advance } = contract();
    const id = await makePerson(contract());
    await updateNaturalPerson(client, id, id, { naturalPersonUpdateData: { deathDay: '2026-11-01' }, documentId });
    await advance(10);
    expect((await getNaturalPerson(client, id)).deathDay).toBe('2026-11-01');
  });

  it('refuses a deathDay in a create', () => expectRefused('deathDay', { deathDay: '2026-11-01' }));
});

describe('2.4 isPep, isPepRelated, isSanction: read-only', () => {
  it('returns the three flags with the person', async () => {
    const flag = expect.any(Boolean);
    expect(await readBack({})).toMatchObject({ isPep: flag, isPepRelated: flag, isSanction: flag });
  });

  it.each(['isPep', 'isPepRelated', 'isSanction'])('refuses the flag %s in a create', (field) =>
    expectRefused(field, { [field]: true }),
  );
});

describe('2.4 riskLevel: read-only', () => {
  it('returns LOW as the riskLevel', async () => expect((await readBack({})).riskLevel).toBe('LOW'));
  it('refuses a riskLevel in a create', () => expectRefused('riskLevel', { riskLevel: 'LOW' }));
});

describe('2.4 naturalPersonStatus: read-only', () => {
  it('returns the status with the person', async () =>
    expect((await readBack({})).naturalPersonStatus).toBe('CREATED'));
  it('refuses a naturalPersonStatus in a create', () =>
    expectRefused('naturalPersonStatus', { naturalPersonStatus: 'ACTIVE' }));
});

describe('2.4 naturalPersonIdentifications: read-only', () => {
  it('returns no identifications of a new person', async () =>
    expect((await readBack({})).naturalPersonIdentifications).toEqual([]));
  it('refuses naturalPersonIdentifications in a create', () =>
    expectRefused('naturalPersonIdentifications', { naturalPersonIdentifications: [] }));
});

describe('2.4 naturalPersonSignedDocuments: read-only', () => {
  it('returns a list of signed documents', async () =>
    expect((await readBack({})).naturalPersonSignedDocuments).toEqual(expect.any(Array)));
  it('refuses naturalPersonSignedDocuments in a create', () =>
    expectRefused('naturalPersonSignedDocuments', { naturalPersonSignedDocuments: [] }));
});

describe('2.4 gender: a word of an enum', () => {
  it('keeps the gender MALE', () => expectKept({ gender: 'MALE' }));
  it('refuses a number as the gender', () => expectRefused('gender', { gender: 1 }));
});

describe('2.4 maritalStatus: a word of an enum', () => {
  it('keeps the maritalStatus MARRIED', () => expectKept({ maritalStatus: 'MARRIED' }));
  it('refuses a maritalStatus in small letters', () => expectRefused('maritalStatus', { maritalStatus: 'married' }));
});

describe('2.4 professionGroup: a word of an enum', () => {
  it('keeps the professionGroup EMPLOYED', () => expectKept({ professionGroup: 'EMPLOYED' }));
  it('refuses a professionGroup in small letters', () =>
    expectRefused('professionGroup', { professionGroup: 'employed' }));
});

describe('2.4 title: a word of an enum; changing it needs a document', () => {
  it('keeps the title PROFESSOR', () => expectKept({ title: 'PROFESSOR' }));
  it('refuses a title in small letters', () => expectRefused('title', { title: 'Prof.' }));

  it('changes the title with a document only', async () => {
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
  it.each(['Erika', 'Erika Maria', 'José-María de'])('keeps the firstName %j', (firstName) =>
    expectKept({ firstName }),
  );
  it.each(['', ' Erika', 'Erika ', 'Erika  Maria'])('refuses the firstName %j', (firstName) =>
    expectRefused('firstName', { firstName }),
  );
});

describe('2.4 lastName: changing it needs a document', () => {
  it('keeps a lastName of several words', () => expectKept({ lastName: 'von der Heide' }));

  it('changes the lastName with a document only', async () => {
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
  it('keeps a birthDay of a leap year', () => expectKept({ birthDay: '2000-02-29' }));
  it.each(['2001-02-29', '29.02.2000', '2000-02-29T00:00:00Z', ''])('refuses the birthDay %j', (birthDay) =>
    expectRefused('birthDay', { birthDay }),
  );
});

describe('2 date: ISO 8601 calendar dates', () => {
  it('refuses a day that the calendar does not have', () => expectRefused('birthDay', { birthDay: '1900-02-29' }));
});

describe('2.4 birthPlace: text', () => {
  it('keeps a birthPlace with letters beyond ASCII', () => expectKept({ birthPlace: 'Św. Lipka' }));
  it('refuses an empty birthPlace', () => expectRefused('birthPlace', { birthPlace: '' }));
});

describe('2.4 birthCountry: a country code', () => {
  it('keeps the birthCountry FR', () => expectKept({ birthCountry: 'FR' }));
  it.each(['FRA', 'fr', 'XX', ''])('refuses the birthCountry %j', (birthCountry) =>
    expectRefused('birthCountry', { birthCountry }),
  );
});

describe('2 country: ISO 3166-1 alpha-2', () => {
  it.each(['DE', 'AX', 'ZW'])('accepts the country code %s', (birthCountry) => expectKept({ birthCountry }));
  it.each(['UK', 'EU'])('refuses the country code %s', (birthCountry) =>
    expectRefused('birthCountry', { birthCountry }),
  );
});

describe('2.4 nationalities: countryCode, nationalIdentifier, nationalIdentifierType', () => {
  it('keeps the fields of a nationality', () =>
    expectKept({
      nationalities: [{ countryCode: 'DE', nationalIdentifier: '12345', nationalIdentifierType: 'CONCAT' }],
    }));

  it('refuses an unknown field of a nationality', () =>
    expectRefused('nationalities.0.passport', { nationalities: [{ countryCode: 'DE', passport: 'x' }] }));

  it('refuses a nationality without a valid country code', () =>
    expectRefused('nationalities.0.countryCode', { nationalities: [{ countryCode: 'Germany' }] }));
});

describe('2.4 language: of the EU', () => {
  it('keeps the language de', () => expectKept({ language: 'de' }));
  it.each(['tr', 'DE', 'deu', ''])('refuses the language %j', (language) => expectRefused('language', { language }));
});

describe('2 language: ISO 639-1, EU languages only', () => {
  it.each(['ga', 'mt', 'hr'])('accepts the language code %s', (language) => expectKept({ language }));
  it.each(['no', 'uk', 'ca'])('refuses the language code %s', (language) => expectRefused('language', { language }));
});

describe('2.4 taxDetails: taxId, taxResidency, noTinConfirmation', () => {
  it('keeps the fields of tax details', () =>
    expectKept({
      taxDetails: [
        { taxId: '1', taxResidency: 'DE' },
        { noTinConfirmation: true, taxResidency: 'AE' },
      ],
    }));

  it('refuses a taxResidency that is no country code', () =>
    expectRefused('taxDetails.0.taxResidency', { taxDetails: [{ taxResidency: 'Germany' }] }));
});

describe('2.4 isUsNationality: true or false', () => {
  it('keeps isUsNationality as true', () => expectKept({ isUsNationality: true }));
  it('refuses text as isUsNationality', () => expectRefused('isUsNationality', { isUsNationality: 'no' }));
});

describe('2.4 profession: text', () => {
  it('keeps the profession unchanged', () => expectKept({ profession: 'Engineer' }));
  it('refuses a number as the profession', () => expectRefused('profession', { profession: 7 }));
});

describe('2.4 naceSectors: section and description', () => {
  it('keeps section and description of a sector', () =>
    expectKept({ naceSectors: [{ section: 'K', description: 'Finance' }] }));
  it('refuses an unknown field of a sector', () =>
    expectRefused('naceSectors.0.code', { naceSectors: [{ section: 'K', code: '1' }] }));
});

describe('2.4 mainAddress: an Address', () => {
  it('keeps the mainAddress unchanged', () =>
    expectKept({ mainAddress: { street: 'Weg', city: 'Bonn', zip: '53111', country: 'DE' } }));
  it('refuses a mainAddress without a valid country code', () =>
    expectRefused('mainAddress.country', { mainAddress: { country: 'Germany' } }));
});

describe('2.4 correspondenceAddress: an Address', () => {
  it('keeps the correspondenceAddress unchanged', () =>
    expectKept({ correspondenceAddress: { street: 'Weg', streetNumber: '1 a' } }));
  it('refuses a correspondenceAddress without a valid country code', () =>
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
  it('keeps every field of an address', () => expectKept({ mainAddress: address }));
  it('refuses a field that neither this section nor the profile names', () =>
    expectRefused('mainAddress.district', { mainAddress: { ...address, district: 'NRW' } }));
});

describe('2.4 annualIncomeNet: a number', () => {
  it('keeps annualIncomeNet with its decimals', () => expectKept({ annualIncomeNet: 50_000.5 }));
  it('refuses text as annualIncomeNet', () => expectRefused('annualIncomeNet', { annualIncomeNet: '50000' }));
});

describe('2.4 availableAssets: a number', () => {
  it('keeps availableAssets of 0', () => expectKept({ availableAssets: 0 }));
  it('refuses text as availableAssets', () => expectRefused('availableAssets', { availableAssets: '0' }));
});

describe('2.4 sourceOfIncome: words of an enum', () => {
  it('keeps the words of sourceOfIncome', () => expectKept({ sourceOfIncome: ['INCOME_FROM_EMPLOYMENT'] }));
  it('refuses a sourceOfIncome that is no list', () =>
    expectRefused('sourceOfIncome', { sourceOfIncome: 'INCOME_FROM_EMPLOYMENT' }));
});

describe('2.4 originOfAssets: words of an enum', () => {
  it('keeps the words of originOfAssets', () => expectKept({ originOfAssets: ['NON_EMPLOYED_LABOR'] }));
  it('refuses an originOfAssets that is no list', () =>
    expectRefused('originOfAssets', { originOfAssets: 'NON_EMPLOYED_LABOR' }));
});

describe('2.4 contact: phone, email, fax, website', () => {
  it('keeps every field of a contact', () =>
    expectKept({
      contact: { phone: '+49 30 1', email: 'a@b.example', fax: '+49 30 2', website: 'https://b.example' },
    }));
  it('refuses an unknown field of a contact', () => expectRefused('contact.pager', { contact: { pager: '1' } }));
});

describe('2.4 externalId: the id in the system of the partner, unique', () => {
  it('keeps the externalId unchanged', () => expectKept({ externalId: 'customer/4711' }));

  it('answers a conflict to a second person of the same externalId', async () => {
    await createPerson(contract(), { externalId: 'one' });
    await expect(createNaturalPerson(contract().client, { ...samplePerson, externalId: 'one' })).rejects.toEqual(
      httpError(409, { condition: 'CONFLICT', isRetryable: false }),
    );
  });
});

describe('2.4 NaturalPersonIdentification: id, times, and what was supplied', () => {
  it('returns what the partner supplied, with an id and times', async () => {
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
  it.each(['1', 'me', '../webhooks'])('refuses the id %j in the client', async (id) => {
    await expect(getNaturalPerson(contract().client, id)).rejects.toThrow(/naturalPersonId: must be a UUID/);
  });

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
