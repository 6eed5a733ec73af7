import * as z from 'zod';
import { countryCode, date, dateTime, enumWord } from '#sandbox/platform/core/fields.ts';

/** The only vendor, and the only way (section 2.5). */
export const supported = { externalVerifier: 'EXTERNAL_VERIFIER_ID', identificationType: 'VIDEO_IDENT' } as const;

/** The four that a birth certificate needs (section 4.2). */
const parents = [
  'documentMotherFullName',
  'documentMotherResidenceCity',
  'documentFatherFullName',
  'documentFatherResidenceCity',
] as const;

const text = z.string().min(1);

const fields = {
  externalVerifier: enumWord,
  identificationType: enumWord,
  identificationDate: date.describe('Within the last 24 months'),
  identificationDocumentType: enumWord,
  documentNumber: text,
  documentCountry: countryCode,
  documentIssuer: text,
  documentIssueDate: date,
  documentExpiryDate: date.describe('For a birth certificate, the date the person comes of age'),
  documentMotherFullName: text.optional(),
  documentMotherResidenceCity: text.optional(),
  documentFatherFullName: text.optional(),
  documentFatherResidenceCity: text.optional(),
};

/** Body of Create natural person identification (section 4.2), except rules that depend on the current date. */
export const newNaturalPersonIdentification = z
  .strictObject(fields)
  .superRefine((identification, context) => {
    if (identification.identificationDocumentType !== 'BIRTH_CERTIFICATE') return;
    const message = 'must be given with BIRTH_CERTIFICATE';
    for (const field of parents)
      if (identification[field] === undefined) context.addIssue({ code: 'custom', path: [field], message });
  })
  .meta({ id: 'NewNaturalPersonIdentification' });

export type NewNaturalPersonIdentification = z.infer<typeof newNaturalPersonIdentification>;

/** NaturalPersonIdentification (section 2.4). */
export const naturalPersonIdentification = z
  .strictObject({ identificationId: z.uuid(), createdOn: dateTime, modifiedOn: dateTime, ...fields })
  .meta({ id: 'NaturalPersonIdentification' });

export type NaturalPersonIdentification = z.infer<typeof naturalPersonIdentification>;
