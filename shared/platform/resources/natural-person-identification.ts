import * as z from 'zod/mini';
import { countryCode, date, type SentFields, sentText, sentWord } from '#shared/platform/fields/fields.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';

/** The fields that are mandatory with a birth certificate (section 4.2). Other documents may have them too. */
const parents = [
  'documentMotherFullName',
  'documentMotherResidenceCity',
  'documentFatherFullName',
  'documentFatherResidenceCity',
] as const;

/** The fields of the body of section 4.2. What depends on other fields, or on the day, is in {@link identificationRules}. */
export function identificationFieldsOf(limits: SentFields) {
  const text = () => sentText(limits);
  return z.strictObject({
    externalVerifier: sentWord(limits),
    identificationType: sentWord(limits),
    identificationDate: date,
    identificationDocumentType: sentWord(limits),
    documentNumber: text(),
    documentCountry: countryCode,
    documentIssuer: text(),
    documentIssueDate: date,
    /** For a birth certificate, the date the person comes of age. */
    documentExpiryDate: date,
    documentMotherFullName: z.optional(text()),
    documentMotherResidenceCity: z.optional(text()),
    documentFatherFullName: z.optional(text()),
    documentFatherResidenceCity: z.optional(text()),
  });
}

/** An identification that was checked before. */
export const identificationFields = identificationFieldsOf({});

export type NewNaturalPersonIdentification = z.input<typeof identificationFields>;

/** What the profile says of an identification. */
export type IdentificationProfile = Pick<PlatformProfile, 'sentFields' | 'times'>;

/** The body of Create natural person identification (section 4.2), as it may be sent at this time. */
export function newNaturalPersonIdentification(now: Date, { sentFields, times }: IdentificationProfile) {
  return identificationFieldsOf(sentFields).check(identificationRules(now, times));
}

type Rule = (
  identification: Readonly<Record<string, unknown>>,
  complain: (field: string, message: string) => void,
) => void;

/** The rules of section 4.2 that take more than one field, or the day. They are checked together with every other problem. */
export function identificationRules(now: Date, times: PlatformProfile['times']) {
  return z.superRefine<Readonly<Record<string, unknown>>>(
    (identification, context) => {
      const complain = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message, input: undefined });
      for (const rule of [ruleOfDate(now, times), ruleOfParents]) rule(identification, complain);
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}

/** Only the platform knows its current day: unless the profile names a zone, the platform checks the date. */
function ruleOfDate(now: Date, { dayZone }: PlatformProfile['times']): Rule {
  return ({ identificationDate }, complain) => {
    const day = date.safeParse(identificationDate);
    if (dayZone !== undefined && day.success && !isWithin24Months(day.data, dayIn(dayZone, now)))
      complain('identificationDate', 'must be within the last 24 months (section 4.2)');
  };
}

const ruleOfParents: Rule = (identification, complain) => {
  if (identification['identificationDocumentType'] !== 'BIRTH_CERTIFICATE') return;
  for (const field of parents)
    if (identification[field] === undefined) complain(field, 'must be given with BIRTH_CERTIFICATE (section 4.2)');
};

type Day = { readonly year: number; readonly month: number; readonly day: number };

function isWithin24Months(isoDate: string, today: Day): boolean {
  const year = today.year - 2;
  // Two years before 29 February it is 28 February.
  const daysOfMonth = new Date(Date.UTC(year, today.month, 0)).getUTCDate();
  const earliest = { ...today, year, day: Math.min(today.day, daysOfMonth) };
  return isoDate >= write(earliest) && isoDate <= write(today);
}

function dayIn(timeZone: string, now: Date): Day {
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const parts = new Intl.DateTimeFormat('en', { timeZone, calendar: 'gregory', ...numeric }).formatToParts(now);
  const read = (part: keyof Day) => Number(parts.find(({ type }) => type === part)?.value);
  return { year: read('year'), month: read('month'), day: read('day') };
}

function write({ year, month, day }: Day): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}
