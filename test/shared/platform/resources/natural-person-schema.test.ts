import { describe, expect, it } from 'vitest';
import { checkInput } from '#shared/platform/client/check-input.ts';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import { additionalFields } from '#shared/platform/profile/additional-fields.ts';
import { naturalPerson as naturalPersonOf } from '#shared/platform/resources/natural-person.ts';
import { naturalPersonBodies } from '#shared/platform/resources/natural-person-schema.ts';
import { errorOf, otherId, personId } from '#test/shared/platform/client/test-client.ts';

const { newNaturalPerson } = naturalPersonBodies({ additionalFields: additionalFields.parse({}), sentFields: {} });
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

// What a create and an update may have, and what the client refuses: test/spec, by section.
it('requires for a create only the fields that docs/reference/platform.md names', async () => {
  expect(newNaturalPerson.parse(required)).toEqual(required);
  for (const field of Object.keys(required)) {
    const create = async () =>
      checkInput(newNaturalPerson, { ...required, [field]: undefined }, { operation: 'Create', section: '2.4' });
    expect((await errorOf(PlatformInputError, create)).problems).toEqual([expect.stringMatching(`^${field}: `)]);
  }
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
