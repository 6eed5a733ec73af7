import type { NewNaturalPersonIdentification } from '#shared/platform/resources/natural-person-identification.ts';
import type { NewNaturalPerson } from '#shared/platform/resources/natural-person-schema.ts';

/** A person that may be created as it is. */
export const samplePerson: NewNaturalPerson = {
  gender: 'FEMALE',
  firstName: 'Erika',
  lastName: 'Mustermann',
  birthDay: '1990-02-03',
  birthPlace: 'Berlin',
  birthCountry: 'DE',
  isUsNationality: false,
  externalId: 'partner-1',
};

/** An identification by ID card that may be sent as it is in January 2026. */
export const sampleIdentification: NewNaturalPersonIdentification = {
  externalVerifier: 'EXTERNAL_VERIFIER_ID',
  identificationType: 'VIDEO_IDENT',
  identificationDate: '2025-12-01',
  identificationDocumentType: 'ID',
  documentNumber: 'T22000129',
  documentCountry: 'DE',
  documentIssuer: 'Berlin',
  documentIssueDate: '2020-01-01',
  documentExpiryDate: '2030-01-01',
};

/** The same, but it may be sent in November 2026. */
export const recentIdentification = { ...sampleIdentification, identificationDate: '2026-10-01' };
