import * as z from 'zod/mini';
import { countryCode, date, enumWord, words } from './fields.ts';

/** The fields that are mandatory with a birth certificate, and have no place without one (section 4.2). */
const parents = [
  'documentMotherFullName',
  'documentMotherResidenceCity',
  'documentFatherFullName',
  'documentFatherResidenceCity',
] as const;

const fields = z.strictObject({
  externalVerifier: enumWord,
  identificationType: enumWord,
  identificationDate: date,
  identificationDocumentType: enumWord,
  documentNumber: words(),
  documentCountry: countryCode,
  documentIssuer: words(),
  documentIssueDate: date,
  /** For a birth certificate, the date the person comes of age. */
  documentExpiryDate: date,
  documentMotherFullName: z.optional(words()),
  documentMotherResidenceCity: z.optional(words()),
  documentFatherFullName: z.optional(words()),
  documentFatherResidenceCity: z.optional(words()),
});

export type NewNaturalPersonIdentification = z.input<typeof fields>;

/** The body of Create natural person identification (section 4.2), as it may be sent on this day (UTC). */
export function newNaturalPersonIdentification(today: Date) {
  return fields.check(
    z.superRefine((identification, context) => {
      const complain = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message, input: undefined });
      if (!isWithin24Months(identification.identificationDate, today))
        complain('identificationDate', 'must be within the last 24 months (section 4.2)');
      const isBirthCertificate = identification.identificationDocumentType === 'BIRTH_CERTIFICATE';
      for (const field of parents) {
        const isGiven = identification[field] !== undefined;
        if (isBirthCertificate && !isGiven) complain(field, 'must be given with BIRTH_CERTIFICATE (section 4.2)');
        if (!isBirthCertificate && isGiven) complain(field, 'may be given only with BIRTH_CERTIFICATE (section 4.2)');
      }
    }),
  );
}

function isWithin24Months(isoDate: string, today: Date): boolean {
  const [year, month] = [today.getUTCFullYear() - 2, today.getUTCMonth()];
  // Two years before 29 February it is 28 February.
  const daysOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const earliest = new Date(Date.UTC(year, month, Math.min(today.getUTCDate(), daysOfMonth)));
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return isoDate >= day(earliest) && isoDate <= day(today);
}
