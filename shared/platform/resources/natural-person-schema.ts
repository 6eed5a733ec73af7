import * as z from 'zod/mini';
import {
  amount,
  countryCode,
  date,
  firstName,
  flag,
  language,
  platformId,
  type SentFields,
  sentText,
  sentWord,
} from '#shared/platform/fields/fields.ts';
import { tolerantObject } from '#shared/platform/fields/received.ts';
import { allowFields } from '#shared/platform/profile/additional-fields.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';

/** The fields of a person, as far as the profile limits them. */
function shapesOf(limits: SentFields) {
  const text = () => z.optional(sentText(limits));
  const word = () => z.optional(sentWord(limits));
  const address = {
    street: text(),
    streetNumber: text(),
    city: text(),
    zip: z.optional(sentText(limits, limits.zip)),
    additionalInfo: text(),
    country: z.optional(countryCode),
  };
  const contact = z.strictObject({
    phone: z.optional(sentText(limits, limits.phone)),
    email: text(),
    fax: text(),
    website: text(),
  });
  /** Writable fields that can be changed later, too (sections 2.4 and 4.1). */
  const updatable = {
    title: word(),
    lastName: text(),
    maritalStatus: word(),
    nationalities: z.optional(
      z.array(
        z.strictObject({
          countryCode: z.optional(countryCode),
          nationalIdentifier: text(),
          nationalIdentifierType: word(),
        }),
      ),
    ),
    taxDetails: z.optional(
      z.array(
        z.strictObject({ taxId: text(), taxResidency: z.optional(countryCode), noTinConfirmation: z.optional(flag) }),
      ),
    ),
    profession: text(),
    professionGroup: word(),
    naceSectors: z.optional(z.array(z.strictObject({ section: text(), description: text() }))),
    mainAddress: z.optional(tolerantObject(address)),
    correspondenceAddress: z.optional(tolerantObject(address)),
    annualIncomeNet: z.optional(amount),
    sourceOfIncome: z.optional(z.array(sentWord(limits))),
    availableAssets: z.optional(amount),
    originOfAssets: z.optional(z.array(sentWord(limits))),
    contact: z.optional(contact),
    externalId: text(),
  };
  /** The writable fields of section 2.4, and those required as far as is known. */
  const writable = {
    ...updatable,
    gender: sentWord(limits),
    firstName: firstName(limits),
    lastName: sentText(limits),
    birthDay: date,
    birthPlace: sentText(limits),
    birthCountry: countryCode,
    isUsNationality: flag,
    language: z.optional(language),
  };
  return { address, writable, updateData: { ...updatable, deathDay: z.optional(date) } };
}

const unlimited = shapesOf({});

/** A new person that was checked before: its additional fields are taken as they are. */
export const storedNewNaturalPerson = tolerantObject(unlimited.writable);

export type NewNaturalPerson = z.input<typeof storedNewNaturalPerson>;

const anyUpdateData = tolerantObject(unlimited.updateData);

/** `naturalPersonUpdateData` (section 4.1). */
export type NaturalPersonUpdateData = z.input<typeof anyUpdateData>;

/** The fields that need a document when they change (section 4.1). */
const documented = ['title', 'lastName', 'deathDay'] as const;

const hasData = z.object({ naturalPersonUpdateData: z.object({}) });

/** What the profile says of the fields of a person. */
export type PersonFields = Pick<PlatformProfile, 'additionalFields' | 'sentFields'>;

/** Made once per profile: to make the schemas takes longer than to check a body. */
const madeBodies = new WeakMap<PersonFields, ReturnType<typeof makeBodies>>();

/** The bodies of Create and Update natural person, with the fields and limits of this profile. */
export function naturalPersonBodies(profile: PersonFields) {
  const bodies = madeBodies.get(profile) ?? makeBodies(profile);
  madeBodies.set(profile, bodies);
  return bodies;
}

function makeBodies({ additionalFields: fields, sentFields }: PersonFields) {
  const { address: addressShape, writable, updateData } = shapesOf(sentFields);
  const address = z.optional(tolerantObject(addressShape).check(allowFields(addressShape, fields.address)));
  const addresses = { mainAddress: address, correspondenceAddress: address };
  const { externalId, ...requested } = writable;
  const data = tolerantObject({ ...updateData, ...addresses }).check(allowFields(updateData, fields.person));
  return {
    newNaturalPerson: tolerantObject({ ...writable, ...addresses }).check(allowFields(writable, fields.person)),
    /** The same without the externalId, which an onboarding request has beside the person. */
    requestedPerson: tolerantObject({ ...requested, ...addresses }).check(allowFields(requested, fields.person)),
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
