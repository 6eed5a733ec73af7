import { describe, expect, it } from 'vitest';
import { checkInput } from '#shared/platform/client/check-input.ts';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import { additionalFields } from '#shared/platform/profile/additional-fields.ts';
import { naturalPerson as naturalPersonOf } from '#shared/platform/resources/natural-person.ts';
import { naturalPersonBodies } from '#shared/platform/resources/natural-person-schema.ts';
import { errorOf, otherId, personId } from '#test/shared/platform/client/test-client.ts';

/** As platforms of this kind are known to have them. */
const statedLimits = {
  maxTextLength: 255,
  zip: { minLength: 3, maxLength: 10 },
  phone: { minLength: 3, maxLength: 20 },
  hasCapitalEnums: true,
};
const { naturalPersonUpdate, newNaturalPerson } = naturalPersonBodies({
  additionalFields: additionalFields.parse({}),
  sentFields: statedLimits,
});
const address = {
  street: 'Straße',
  streetNumber: '1a',
  city: 'Berlin',
  zip: '10115',
  additionalInfo: 'c/o',
  country: 'DE',
};
const required = {
  gender: 'FEMALE',
  firstName: 'Erika Maria',
  lastName: 'Mustermann',
  birthDay: '1990-02-03',
  birthPlace: 'Berlin',
  birthCountry: 'DE',
  isUsNationality: false,
};
const updatable = {
  title: 'PROFESSOR',
  maritalStatus: 'MARRIED',
  nationalities: [{ countryCode: 'DE', nationalIdentifier: 'x', nationalIdentifierType: 'CONCAT' }],
  taxDetails: [{ taxId: '12 345', taxResidency: 'DE', noTinConfirmation: false }],
  profession: 'Pilot',
  professionGroup: 'EMPLOYED',
  naceSectors: [{ section: 'A', description: 'x' }],
  mainAddress: address,
  correspondenceAddress: address,
  annualIncomeNet: 12_345.67,
  sourceOfIncome: ['INCOME_FROM_EMPLOYMENT'],
  availableAssets: 0,
  originOfAssets: ['NON_EMPLOYED_LABOR'],
  contact: { phone: '+49 30 1', email: 'e@example.org', fax: '1', website: 'x' },
  externalId: 'partner-1',
};
const full = { ...required, ...updatable, language: 'de' };
const systemFields = [
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
];

async function problemsOf(schema: typeof newNaturalPerson | typeof naturalPersonUpdate, body: unknown) {
  const place = { operation: 'Do something', section: '2.4' };
  return (await errorOf(PlatformInputError, async () => checkInput(schema, body, place))).problems;
}

describe('section 2.4: the body of a create', () => {
  it('accepts every writable field', () => {
    expect(newNaturalPerson.parse(full)).toEqual(full);
  });

  it('requires only the fields that docs/reference/platform.md names', async () => {
    expect(newNaturalPerson.parse(required)).toEqual(required);
    for (const field of Object.keys(required))
      expect(await problemsOf(newNaturalPerson, { ...required, [field]: undefined })).toEqual([
        expect.stringMatching(`^${field}: `),
      ]);
  });

  it.each(systemFields)('refuses the read-only field %s', async (field) => {
    expect(await problemsOf(newNaturalPerson, { ...full, [field]: 'x' })).toEqual([
      `${field}: cannot be written (section 2.4)`,
    ]);
  });

  it.each([
    ['firstName', { firstName: 'Erika  Maria' }],
    ['lastName', { lastName: '' }],
    ['birthDay', { birthDay: '1990-02-30' }],
    ['birthCountry', { birthCountry: 'de' }],
    ['language', { language: 'tr' }],
    ['gender', { gender: 'f' }],
    ['isUsNationality', { isUsNationality: 'no' }],
    ['annualIncomeNet', { annualIncomeNet: '1' }],
    ['availableAssets', { availableAssets: Number.NaN }],
    ['sourceOfIncome.0', { sourceOfIncome: ['x'] }],
    ['originOfAssets.1', { originOfAssets: ['A', null] }],
    ['nationalities.0.countryCode', { nationalities: [{ countryCode: 'XX' }] }],
    ['nationalities.0.more', { nationalities: [{ more: 1 }] }],
    ['taxDetails.0.taxResidency', { taxDetails: [{ taxResidency: 'XX' }] }],
    ['taxDetails.0.noTinConfirmation', { taxDetails: [{ noTinConfirmation: 1 }] }],
    ['naceSectors.0.code', { naceSectors: [{ code: 'x' }] }],
    ['mainAddress.country', { mainAddress: { ...address, country: 'Germany' } }],
    ['mainAddress.zip', { mainAddress: { ...address, zip: '12' } }],
    ['mainAddress.zip', { mainAddress: { ...address, zip: '12345678901' } }],
    ['correspondenceAddress.planet', { correspondenceAddress: { ...address, planet: 'x' } }],
    ['contact.phone', { contact: { phone: '12' } }],
    ['contact.mobile', { contact: { mobile: '1' } }],
    ['externalId', { externalId: '' }],
  ])('names the malformed field %s', async (field, wrong) => {
    const problems = await problemsOf(newNaturalPerson, { ...full, ...wrong });
    expect(problems).toEqual([expect.stringMatching(/^\S+: .*\(section [\d.]+\)$/)]);
    expect(problems[0]?.startsWith(`${field}: `)).toBe(true);
  });
});

describe('section 4.1: the body of an update', () => {
  it('accepts the fields of section 4.1', () => {
    const body = {
      naturalPersonUpdateData: { ...updatable, lastName: 'M', deathDay: '2026-01-01' },
      documentId: otherId,
    };
    expect(naturalPersonUpdate.parse(body)).toEqual(body);
  });

  it.each(['gender', 'firstName', 'birthDay', 'birthPlace', 'birthCountry', 'isUsNationality', 'language', 'isPep'])(
    'refuses an update of %s',
    async (field) => {
      expect(await problemsOf(naturalPersonUpdate, { naturalPersonUpdateData: { [field]: 'x' } })).toEqual([
        `naturalPersonUpdateData.${field}: cannot be written (section 2.4)`,
      ]);
    },
  );

  it.each([
    ['title', { title: 'PROFESSOR' }],
    ['lastName', { lastName: 'M' }],
    ['deathDay', { deathDay: '2026-01-01' }],
    ['title, lastName, deathDay', { title: 'PROFESSOR', lastName: 'M', deathDay: '2026-01-01', profession: 'x' }],
  ])('requires a documentId for %s', async (fields, naturalPersonUpdateData) => {
    expect(await problemsOf(naturalPersonUpdate, { naturalPersonUpdateData })).toEqual([
      `documentId: must be given with ${fields} (section 4.1)`,
    ]);
    expect(naturalPersonUpdate.safeParse({ naturalPersonUpdateData, documentId: otherId }).success).toBe(true);
  });

  it('requires a UUID as the documentId, and none for other fields', async () => {
    const { title: _, ...undocumented } = updatable;
    expect(naturalPersonUpdate.safeParse({ naturalPersonUpdateData: undocumented }).success).toBe(true);
    const update = { naturalPersonUpdateData: {}, documentId: 'x' };
    expect(await problemsOf(naturalPersonUpdate, update)).toEqual(['documentId: must be a UUID (section 2)']);
  });
});

describe('section 2.4: a received person', () => {
  const naturalPerson = naturalPersonOf({});
  const received = {
    ...full,
    naturalPersonId: personId,
    globalId: 'g',
    createdOn: '2026-01-02T03:04:05.123456789Z',
    isPep: false,
    riskLevel: 'LOW',
    naturalPersonStatus: 'ACTIVE',
    naturalPersonIdentifications: [{ identificationId: otherId, identificationDocumentType: 'ID', more: 1 }],
    naturalPersonSignedDocuments: [{ partnerDocumentId: otherId, documentType: 'TERMS_AND_CONDITIONS', version: 3 }],
  };

  it('keeps every field, also unknown ones', () => {
    const more = { ...received, more: { a: [1] }, mainAddress: { ...address, planet: 'x' } };
    expect(naturalPerson.parse(more)).toEqual(more);
  });

  it('accepts unknown words in each field of words', () => {
    const words = {
      gender: 'X',
      title: 'x',
      maritalStatus: 'x',
      professionGroup: 'x',
      sourceOfIncome: ['x'],
      originOfAssets: ['x'],
      riskLevel: 'x',
      naturalPersonStatus: 'x',
      nationalities: [{ nationalIdentifierType: 'x' }],
      naturalPersonIdentifications: [
        { identificationType: 'x', identificationDocumentType: 'x', externalVerifier: 'x' },
      ],
      naturalPersonSignedDocuments: [{ documentType: 'x' }],
      firstName: 'Two  spaces ',
      birthCountry: 'XK',
      language: 'tr',
    };
    expect(naturalPerson.parse({ ...received, ...words })).toMatchObject(words);
  });

  it('accepts null or nothing in every field except the id', () => {
    expect(naturalPerson.parse({ naturalPersonId: personId })).toEqual({ naturalPersonId: personId });
    const nulls = Object.fromEntries(Object.keys(received).map((key) => [key, null]));
    expect(naturalPerson.safeParse({ ...nulls, naturalPersonId: personId }).success).toBe(true);
    expect(naturalPerson.safeParse(nulls).success).toBe(false);
  });
});
