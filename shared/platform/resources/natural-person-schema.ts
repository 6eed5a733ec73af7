import * as z from 'zod/mini';
import {
  amount,
  countryCode,
  date,
  enumWord,
  firstName,
  flag,
  language,
  platformId,
  words,
} from '#shared/platform/fields/fields.ts';
import type { AdditionalFields } from '#shared/platform/profile/additional-fields.ts';
import { allowFields } from '#shared/platform/profile/allow-fields.ts';

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

/** Made once per profile: to make the schemas takes longer than to check a body. */
const madeBodies = new WeakMap<AdditionalFields, ReturnType<typeof makeBodies>>();

/** The bodies of Create and Update natural person, where the platform takes these fields beside those of section 2.4. */
export function naturalPersonBodies(fields: AdditionalFields) {
  const bodies = madeBodies.get(fields) ?? makeBodies(fields);
  madeBodies.set(fields, bodies);
  return bodies;
}

function makeBodies(fields: AdditionalFields) {
  const address = z.optional(anyAddress.check(allowFields(addressShape, fields.address)));
  const addresses = { mainAddress: address, correspondenceAddress: address };
  const { externalId, ...requested } = writable;
  const data = z.looseObject({ ...updateData, ...addresses }).check(allowFields(updateData, fields.person));
  return {
    newNaturalPerson: z.looseObject({ ...writable, ...addresses }).check(allowFields(writable, fields.person)),
    /** The same without the externalId, which an onboarding request has beside the person. */
    requestedPerson: z.looseObject({ ...requested, ...addresses }).check(allowFields(requested, fields.person)),
    naturalPersonUpdate: z.strictObject({ naturalPersonUpdateData: data, documentId: z.optional(platformId) }).check(
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
