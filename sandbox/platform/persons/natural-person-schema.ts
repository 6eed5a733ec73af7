import * as z from 'zod';
import { countryCode, date, dateTime, language, uuid } from '#sandbox/platform/core/fields.ts';
import { checkAdditionalFields, type Fields } from './additional-fields.ts';
import { naturalPersonIdentification } from './identification-schema.ts';
import { anyPersonStatus } from './natural-person-status.ts';
import { checkSentFields, type SentFieldsSettings } from './sent-fields.ts';
import { signedDocument } from './signed-document.ts';

/** Text, and a word of an enum: `checkSentFields` knows the lengths, and how words are written. */
const text = z.string().min(1);

/** Fields that the settings allow. `checkAdditionalFields` refuses any other one: a schema does not know the settings. */
const further = z.unknown();

const address = z
  .object({
    street: z.string().optional(),
    streetNumber: z.string().optional(),
    city: z.string().optional(),
    zip: text.optional(),
    additionalInfo: z.string().optional(),
    country: countryCode.optional(),
  })
  .catchall(further)
  .meta({ id: 'Address' });

const contact = z
  .strictObject({
    phone: text.optional(),
    email: z.string().optional(),
    fax: z.string().optional(),
    website: z.string().optional(),
  })
  .meta({ id: 'Contact' });

const nationality = z.strictObject({
  countryCode: countryCode.optional(),
  nationalIdentifier: z.string().optional(),
  nationalIdentifierType: text.optional(),
});

const taxDetail = z.strictObject({
  taxId: z.string().optional(),
  taxResidency: countryCode.optional(),
  noTinConfirmation: z.boolean().optional(),
});

const naceSector = z.strictObject({ section: z.string().optional(), description: z.string().optional() });

/** Fields that can be written at any time (sections 2.4 and 4.1), except lastName. */
const updatable = {
  title: text.optional(),
  maritalStatus: text.optional(),
  nationalities: z.array(nationality).optional(),
  taxDetails: z.array(taxDetail).optional(),
  profession: z.string().optional(),
  professionGroup: text.optional(),
  naceSectors: z.array(naceSector).optional(),
  mainAddress: address.optional(),
  correspondenceAddress: address.optional(),
  annualIncomeNet: z.number().optional(),
  sourceOfIncome: z.array(text).optional(),
  availableAssets: z.number().optional(),
  originOfAssets: z.array(text).optional(),
  contact: contact.optional(),
  externalId: text.optional(),
};

const writable = {
  ...updatable,
  gender: text,
  firstName: text.regex(/^\S+( \S+)*$/, 'must be words with one space between them'),
  lastName: text,
  birthDay: date,
  birthPlace: text,
  birthCountry: countryCode,
  isUsNationality: z.boolean(),
  language: language.optional(),
};

/** Body of Create natural person: the writable fields of section 2.4. */
export const newNaturalPerson = z.object(writable).catchall(further).meta({ id: 'NewNaturalPerson' });

export type NewNaturalPerson = z.infer<typeof newNaturalPerson>;

const changeable = { ...updatable, lastName: text.optional(), deathDay: date.optional() };

/** Fields whose change a document must show (section 4.1). */
const documented = ['title', 'lastName', 'deathDay'] as const;

/** Body of Update natural person (section 4.1). */
export const naturalPersonUpdate = z
  .strictObject({
    naturalPersonUpdateData: z.object(changeable).catchall(further),
    documentId: uuid.optional(),
  })
  .superRefine(({ naturalPersonUpdateData: data, documentId }, context) => {
    const shown = documented.filter((field) => data[field] !== undefined);
    if (shown.length > 0 && documentId === undefined)
      context.addIssue({ code: 'custom', path: ['documentId'], message: `must be given with ${shown.join(', ')}` });
  })
  .meta({ id: 'NaturalPersonUpdate' });

export type NaturalPersonUpdateData = z.infer<typeof naturalPersonUpdate>['naturalPersonUpdateData'];

/**
 * Checks what the schema does not know of a new person: the fields and texts that the settings allow.
 *
 * @param body as it was sent: zod drops a field named `__proto__`
 * @throws {RefusedError} Bad Request
 */
export function checkNewNaturalPerson(body: Fields, settings: SentFieldsSettings): void {
  checkAdditionalFields(body, { known: { person: writable, address: address.shape }, settings });
  checkSentFields(body, settings);
}

/** Checks the fields of an update in the same way. @throws {RefusedError} Bad Request */
export function checkNaturalPersonUpdate(
  { naturalPersonUpdateData }: { readonly naturalPersonUpdateData: Fields },
  settings: SentFieldsSettings,
): void {
  const known = { person: changeable, address: address.shape };
  checkAdditionalFields(naturalPersonUpdateData, { known, settings, place: 'naturalPersonUpdateData' });
  checkSentFields(naturalPersonUpdateData, settings, 'naturalPersonUpdateData');
}

/** A natural person as the get operations return it (section 2.4). A field that was never given is absent. */
export const naturalPerson = z
  .object({
    naturalPersonId: z.uuid(),
    globalId: z.string(),
    createdOn: dateTime,
    modifiedOn: dateTime,
    verifiedOn: dateTime.optional(),
    deathDay: date.optional(),
    isPep: z.boolean(),
    isPepRelated: z.boolean(),
    isSanction: z.boolean(),
    riskLevel: z.enum(['LOW']),
    naturalPersonStatus: anyPersonStatus,
    naturalPersonIdentifications: z.array(naturalPersonIdentification),
    naturalPersonSignedDocuments: z.array(signedDocument),
    ...writable,
  })
  .catchall(further)
  .meta({ id: 'NaturalPerson' });

export type NaturalPerson = z.infer<typeof naturalPerson>;
