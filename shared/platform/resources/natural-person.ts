import * as z from 'zod/mini';
import { maybe, openEnum } from '#shared/platform/fields/open-enum.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';

/** Section 3.1, and the further statuses that were seen. */
export const naturalPersonStatusWords = [
  'RECEIVED',
  'CREATED',
  'PENDING',
  'ACTIVE',
  'SUSPENDED',
  'BLOCKED',
  'REVIEW',
  'REJECTED',
  'INVALID',
  'DECEASED',
] as const;

export type NaturalPersonStatus = (typeof naturalPersonStatusWords)[number];

const receivedAddress = z.looseObject({
  street: maybe(z.string()),
  streetNumber: maybe(z.string()),
  city: maybe(z.string()),
  zip: maybe(z.string()),
  additionalInfo: maybe(z.string()),
  country: maybe(z.string()),
});

const receivedContact = z.looseObject({
  phone: maybe(z.string()),
  email: maybe(z.string()),
  fax: maybe(z.string()),
  website: maybe(z.string()),
});

/** NaturalPersonIdentification (section 2.4), as it is returned. */
const receivedIdentification = z.looseObject({
  identificationId: maybe(z.string()),
  createdOn: maybe(timestamp),
  modifiedOn: maybe(timestamp),
  externalVerifier: maybe(z.string()),
  identificationType: maybe(openEnum(['VIDEO_IDENT'])),
  identificationDate: maybe(z.string()),
  identificationDocumentType: maybe(openEnum(['ID', 'BIRTH_CERTIFICATE'])),
  documentNumber: maybe(z.string()),
  documentCountry: maybe(z.string()),
  documentIssuer: maybe(z.string()),
  documentIssueDate: maybe(z.string()),
  documentExpiryDate: maybe(z.string()),
  documentMotherFullName: maybe(z.string()),
  documentMotherResidenceCity: maybe(z.string()),
  documentFatherFullName: maybe(z.string()),
  documentFatherResidenceCity: maybe(z.string()),
});

/** SignedDocument (section 2.4). */
const signedDocument = z.looseObject({
  partnerDocumentId: maybe(z.string()),
  name: maybe(z.string()),
  documentType: maybe(openEnum(['TERMS_AND_CONDITIONS'])),
  version: maybe(z.number()),
  customerId: maybe(z.string()),
  createdOn: maybe(timestamp),
  modifiedOn: maybe(timestamp),
});

/** A natural person as the get operations return it (section 2.4). What is not listed is kept. */
export const naturalPerson = z.looseObject({
  naturalPersonId: z.string(),
  globalId: maybe(z.string()),
  createdOn: maybe(timestamp),
  modifiedOn: maybe(timestamp),
  verifiedOn: maybe(timestamp),
  deathDay: maybe(z.string()),
  isPep: maybe(z.boolean()),
  isPepRelated: maybe(z.boolean()),
  isSanction: maybe(z.boolean()),
  riskLevel: maybe(openEnum(['LOW'])),
  naturalPersonStatus: maybe(openEnum(naturalPersonStatusWords)),
  naturalPersonIdentifications: maybe(z.array(receivedIdentification)),
  naturalPersonSignedDocuments: maybe(z.array(signedDocument)),
  gender: maybe(openEnum(['MALE'])),
  title: maybe(openEnum(['PROFESSOR'])),
  firstName: maybe(z.string()),
  lastName: maybe(z.string()),
  maritalStatus: maybe(openEnum(['MARRIED'])),
  birthDay: maybe(z.string()),
  birthPlace: maybe(z.string()),
  birthCountry: maybe(z.string()),
  language: maybe(z.string()),
  isUsNationality: maybe(z.boolean()),
  profession: maybe(z.string()),
  professionGroup: maybe(openEnum(['EMPLOYED'])),
  annualIncomeNet: maybe(z.number()),
  sourceOfIncome: maybe(z.array(openEnum(['INCOME_FROM_EMPLOYMENT']))),
  availableAssets: maybe(z.number()),
  originOfAssets: maybe(z.array(openEnum(['NON_EMPLOYED_LABOR']))),
  mainAddress: maybe(receivedAddress),
  correspondenceAddress: maybe(receivedAddress),
  contact: maybe(receivedContact),
  nationalities: maybe(
    z.array(
      z.looseObject({
        countryCode: maybe(z.string()),
        nationalIdentifier: maybe(z.string()),
        nationalIdentifierType: maybe(openEnum(['CONCAT'])),
      }),
    ),
  ),
  taxDetails: maybe(
    z.array(
      z.looseObject({
        taxId: maybe(z.string()),
        taxResidency: maybe(z.string()),
        noTinConfirmation: maybe(z.boolean()),
      }),
    ),
  ),
  naceSectors: maybe(z.array(z.looseObject({ section: maybe(z.string()), description: maybe(z.string()) }))),
  externalId: maybe(z.string()),
});

export type NaturalPerson = z.infer<typeof naturalPerson>;
