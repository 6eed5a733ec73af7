import * as z from 'zod/mini';
import { amount, countryCode, date, enumWord, firstName, flag, language, uuid, words } from './fields.ts';
import { openEnum } from './open-enum.ts';
import { timestamp } from './timestamp.ts';

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

const address = z.strictObject({
  street: z.optional(words()),
  streetNumber: z.optional(words()),
  city: z.optional(words()),
  zip: z.optional(words(10).check(z.minLength(3, 'must have 3 characters or more'))),
  additionalInfo: z.optional(words()),
  country: z.optional(countryCode),
});

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
  mainAddress: z.optional(address),
  correspondenceAddress: z.optional(address),
  annualIncomeNet: z.optional(amount),
  sourceOfIncome: z.optional(z.array(enumWord)),
  availableAssets: z.optional(amount),
  originOfAssets: z.optional(z.array(enumWord)),
  contact: z.optional(contact),
  externalId: z.optional(words()),
};

/** The body of Create natural person: the writable fields of section 2.4, and those required as far as is known. */
export const newNaturalPerson = z.strictObject({
  ...updatable,
  gender: enumWord,
  firstName,
  lastName: words(),
  birthDay: date,
  birthPlace: words(),
  birthCountry: countryCode,
  isUsNationality: flag,
  language: z.optional(language),
});

export type NewNaturalPerson = z.input<typeof newNaturalPerson>;

/** `naturalPersonUpdateData` (section 4.1). */
export const naturalPersonUpdateData = z.strictObject({ ...updatable, deathDay: z.optional(date) });

export type NaturalPersonUpdateData = z.input<typeof naturalPersonUpdateData>;

/** The fields that need a document when they change (section 4.1). */
const documented = ['title', 'lastName', 'deathDay'] as const;

/** The body of Update natural person (section 4.1). */
export const naturalPersonUpdate = z.strictObject({ naturalPersonUpdateData, documentId: z.optional(uuid) }).check(
  z.superRefine(({ naturalPersonUpdateData: data, documentId }, context) => {
    const needing = documented.filter((field) => data[field] !== undefined);
    if (needing.length === 0 || documentId !== undefined) return;
    const message = `must be given with ${needing.join(', ')} (section 4.1)`;
    context.addIssue({ code: 'custom', path: ['documentId'], message, input: undefined });
  }),
);

/** A natural person as the get operations return it (section 2.4). What is not listed is kept. */
export const naturalPerson = z.looseObject({
  naturalPersonId: z.string(),
  naturalPersonStatus: z.optional(z.nullable(openEnum(naturalPersonStatuses))),
  externalId: z.optional(z.nullable(z.string())),
  createdOn: z.optional(z.nullable(timestamp)),
  modifiedOn: z.optional(z.nullable(timestamp)),
  verifiedOn: z.optional(z.nullable(timestamp)),
});

export type NaturalPerson = z.infer<typeof naturalPerson>;
