import * as z from 'zod/mini';
import { countryCode, date, enumWord, words } from '#shared/platform/fields/fields.ts';

/** The fields that are mandatory with a birth certificate, and have no place without one (section 4.2). */
const parents = [
  'documentMotherFullName',
  'documentMotherResidenceCity',
  'documentFatherFullName',
  'documentFatherResidenceCity',
] as const;

/** The fields of the body of section 4.2. What depends on other fields, or on the day, is in {@link identificationRules}. */
export const identificationFields = z.strictObject({
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

export type NewNaturalPersonIdentification = z.input<typeof identificationFields>;

/** The body of Create natural person identification (section 4.2), as it may be sent on this day (UTC). */
export function newNaturalPersonIdentification(today: Date) {
  return identificationFields.check(identificationRules(today));
}

type Rule = (
  identification: Readonly<Record<string, unknown>>,
  complain: (field: string, message: string) => void,
) => void;

/** The rules of section 4.2 that take more than one field, or the day (UTC). They are checked together with every other problem. */
export function identificationRules(today: Date) {
  return z.superRefine<Readonly<Record<string, unknown>>>(
    (identification, context) => {
      const complain = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message, input: undefined });
      for (const rule of [ruleOfDate(today), ruleOfParents]) rule(identification, complain);
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}

function ruleOfDate(today: Date): Rule {
  return ({ identificationDate }, complain) => {
    const day = date.safeParse(identificationDate);
    if (day.success && !isWithin24Months(day.data, today))
      complain('identificationDate', 'must be within the last 24 months (section 4.2)');
  };
}

const ruleOfParents: Rule = (identification, complain) => {
  const isBirthCertificate = identification['identificationDocumentType'] === 'BIRTH_CERTIFICATE';
  for (const field of parents) {
    const isGiven = identification[field] !== undefined;
    if (isBirthCertificate && !isGiven) complain(field, 'must be given with BIRTH_CERTIFICATE (section 4.2)');
    if (!isBirthCertificate && isGiven) complain(field, 'may be given only with BIRTH_CERTIFICATE (section 4.2)');
  }
};

function isWithin24Months(isoDate: string, today: Date): boolean {
  const [year, month] = [today.getUTCFullYear() - 2, today.getUTCMonth()];
  // Two years before 29 February it is 28 February.
  const daysOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const earliest = new Date(Date.UTC(year, month, Math.min(today.getUTCDate(), daysOfMonth)));
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return isoDate >= day(earliest) && isoDate <= day(today);
}
