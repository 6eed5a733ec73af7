import * as z from 'zod';
import { countryCode, date, dateTime, enumWord } from '#sandbox/platform/core/fields.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { Settings } from '#sandbox/platform/core/settings.ts';

/** Which vendor identifies a person, and how (sections 2.5 and 4.2). */
export type IdentificationMeans = { readonly externalVerifier: string; readonly identificationType: string };

/** The only vendor, and the only way (section 2.5). */
export function supportedBy({ externalVerifier }: Pick<Settings, 'externalVerifier'>): IdentificationMeans {
  return { externalVerifier, identificationType: 'VIDEO_IDENT' };
}

/** @throws {RefusedError} Not Implemented for another vendor or type (sections 4 and 7) */
export function requireSupported(means: IdentificationMeans, settings: Pick<Settings, 'externalVerifier'>): void {
  const supported = supportedBy(settings);
  for (const field of ['externalVerifier', 'identificationType'] as const)
    if (means[field] !== supported[field])
      throw new RefusedError(501, `${field}: nothing but ${supported[field]} is supported.`);
}

/** The four that a birth certificate needs (section 4.2). */
const parents = [
  'documentMotherFullName',
  'documentMotherResidenceCity',
  'documentFatherFullName',
  'documentFatherResidenceCity',
] as const;

const text = z.string().min(1);

const fields = {
  externalVerifier: enumWord.describe('Supported: that of the setting externalVerifier'),
  identificationType: enumWord.describe('Supported: VIDEO_IDENT'),
  identificationDate: date.describe('Within the last 24 months'),
  identificationDocumentType: text,
  documentNumber: text,
  documentCountry: countryCode,
  documentIssuer: text,
  documentIssueDate: date,
  documentExpiryDate: date.describe('Today or later. For a birth certificate, the date the person comes of age'),
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
