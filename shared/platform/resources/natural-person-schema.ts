import * as z from 'zod/mini';
import {
  amount,
  countryCode,
  date,
  enumWord,
  firstName,
  flag,
  language,
  uuid,
  words,
} from '#shared/platform/fields/fields.ts';
import { maybe, openEnum } from '#shared/platform/fields/open-enum.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import type { AdditionalFields } from '#shared/platform/profile/additional-fields.ts';
import { allowFields } from '#shared/platform/profile/allow-fields.ts';

/** Section 3.1, and the further statuses that were seen. */
export const naturalPersonStatuses = [
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

export type NaturalPersonStatus = (typeof naturalPersonStatuses)[number];

const addressShape = {
  street: z.optional(words()),
  streetNumber: z.optional(words()),
  city: z.optional(words()),
  zip: z.optional(words(10).check(z.minLength(3, 'must have 3 characters or more'))),
  additionalInfo: z.optional(words()),
  country: z.optional(countryCode),
};

const anyAddress = z.looseObject(addressShape);

const contact = z.strictObject({
  phone: z.optional(words(20).check(z.minLength(3, 'must have 3 characters or more'))),
  email: z.optional(words()),
  fax: z.optional(words()),
  website: z.optional(words()),
});

/** Writable fields that can be changed later, too (sections 2.4 and 4.1). */
const updatable = {
  title: z.optional(enumWord),
  lastName: z.optional(words()),
  maritalStatus: z.optional(enumWord),
  nationalities: z.optional(
    z.array(
      z.strictObject({
        countryCode: z.optional(countryCode),
        nationalIdentifier: z.optional(words()),
        nationalIdentifierType: z.optional(enumWord),
      }),
    ),
  ),
  taxDetails: z.optional(
    z.array(
      z.strictObject({
        taxId: z.optional(words()),
        taxResidency: z.optional(countryCode),
        noTinConfirmation: z.optional(flag),
      }),
    ),
  ),
  profession: z.optional(words()),
  professionGroup: z.optional(enumWord),
  naceSectors: z.optional(z.array(z.strictObject({ section: z.optional(words()), description: z.optional(words()) }))),
  mainAddress: z.optional(anyAddress),
  correspondenceAddress: z.optional(anyAddress),
  annualIncomeNet: z.optional(amount),
  sourceOfIncome: z.optional(z.array(enumWord)),
  availableAssets: z.optional(amount),
  originOfAssets: z.optional(z.array(enumWord)),
  contact: z.optional(contact),
  externalId: z.optional(words()),
};

/** The writable fields of section 2.4, and those required as far as is known. */
const writable = {
  ...updatable,
  gender: enumWord,
  firstName,
  lastName: words(),
  birthDay: date,
  birthPlace: words(),
  birthCountry: countryCode,
  isUsNationality: flag,
  language: z.optional(language),
};

/** A new person that was checked before: its additional fields are taken as they are. */
export const storedNewNaturalPerson = z.looseObject(writable);

export type NewNaturalPerson = z.input<typeof storedNewNaturalPerson>;

const updateData = { ...updatable, deathDay: z.optional(date) };
const anyUpdateData = z.looseObject(updateData);

/** `naturalPersonUpdateData` (section 4.1). */
export type NaturalPersonUpdateData = z.input<typeof anyUpdateData>;

/** The fields that need a document when they change (section 4.1). */
const documented = ['title', 'lastName', 'deathDay'] as const;

const hasData = z.object({ naturalPersonUpdateData: z.object({}) });

/** The bodies of Create and Update natural person, where the platform takes these fields beside those of section 2.4. */
export function naturalPersonBodies(fields: AdditionalFields) {
  const address = z.optional(anyAddress.check(allowFields(addressShape, fields.address)));
  const addresses = { mainAddress: address, correspondenceAddress: address };
  const { externalId, ...requested } = writable;
  const data = z.looseObject({ ...updateData, ...addresses }).check(allowFields(updateData, fields.person));
  return {
    newNaturalPerson: z.looseObject({ ...writable, ...addresses }).check(allowFields(writable, fields.person)),
    /** The same without the externalId, which an onboarding request has beside the person. */
    requestedPerson: z.looseObject({ ...requested, ...addresses }).check(allowFields(requested, fields.person)),
    naturalPersonUpdate: z.strictObject({ naturalPersonUpdateData: data, documentId: z.optional(uuid) }).check(
      z.superRefine(
        ({ naturalPersonUpdateData: changed, documentId }, context) => {
          const needing = documented.filter((field) => changed[field] !== undefined);
          if (needing.length === 0 || documentId !== undefined) return;
          const message = `must be given with ${needing.join(', ')} (section 4.1)`;
          context.addIssue({ code: 'custom', path: ['documentId'], message, input: undefined });
        },
        // Checked together with every other problem.
        { when: ({ value }) => hasData.safeParse(value).success },
      ),
    ),
  };
}

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
  naturalPersonStatus: maybe(openEnum(naturalPersonStatuses)),
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
