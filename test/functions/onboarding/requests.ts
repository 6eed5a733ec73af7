import fc from 'fast-check';
import type { OnboardingRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { sampleIdentification, samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

const { externalId: sampleId, ...person } = samplePerson;

/** The day on which the samples may be sent. */
export const today = new Date('2026-01-02T03:04:05.678Z');

const parents = {
  documentMotherFullName: 'Maria Mustermann',
  documentMotherResidenceCity: 'Berlin',
  documentFatherFullName: 'Max Mustermann',
  documentFatherResidenceCity: 'Köln',
};

export const byVideo = { mode: 'video', redirectUrl: 'https://partner.example/done' } as const;
export const supplied = { ...sampleIdentification, mode: 'supplied' } as const;
export const bornRecently = { ...supplied, ...parents, identificationDocumentType: 'BIRTH_CERTIFICATE' } as const;
export const notAtAll = { mode: 'none' } as const;

/** A request that is right. */
export function sampleRequest(more: Partial<OnboardingRequest> = {}): OnboardingRequest {
  return { externalId: sampleId ?? '', person, identification: notAtAll, ...more };
}

const word = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,12}$/);
const text = fc.string({ minLength: 1, maxLength: 40, unit: 'binary' });
const name = fc.stringMatching(/^[A-Za-zÄÖÜé'-]{1,20}( [A-Za-zÄÖÜé'-]{1,20}){0,2}$/);
const someDay = fc.date({ min: new Date('1930-01-01'), max: new Date('2007-01-01'), noInvalidDate: true }).map(dayOf);
const country = fc.constantFrom('DE', 'AT', 'FR', 'JP', 'XK').filter((code) => code !== 'XK');

/** So many days after this one, or before it. */
function daysFrom(day: Date, days: number): Date {
  return new Date(day.getTime() + days * 86_400_000);
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

const optional = {
  title: word,
  maritalStatus: word,
  nationalities: fc.array(fc.record({ countryCode: country, nationalIdentifier: text }, { requiredKeys: [] }), {
    maxLength: 3,
  }),
  language: fc.constantFrom('de', 'fr', 'sv'),
  taxDetails: fc.array(
    fc.record({ taxId: text, taxResidency: country, noTinConfirmation: fc.boolean() }, { requiredKeys: [] }),
    { maxLength: 2 },
  ),
  profession: text,
  professionGroup: word,
  mainAddress: fc.record(
    { street: text, city: text, zip: fc.stringMatching(/^[0-9]{3,10}$/), country },
    { requiredKeys: [] },
  ),
  annualIncomeNet: fc.double({ noNaN: true, noDefaultInfinity: true }),
  sourceOfIncome: fc.array(word, { maxLength: 3 }),
  contact: fc.record({ phone: fc.stringMatching(/^[0-9+]{3,20}$/), email: text }, { requiredKeys: [] }),
};

const required = {
  gender: word,
  firstName: name,
  lastName: text,
  birthDay: someDay,
  birthPlace: text,
  birthCountry: country,
  isUsNationality: fc.boolean(),
};

const documentOn = (day: Date) => ({
  externalVerifier: word,
  identificationType: word,
  identificationDate: fc.date({ min: daysFrom(day, -729), max: day, noInvalidDate: true }).map(dayOf),
  documentNumber: text,
  documentCountry: country,
  documentIssuer: text,
  documentIssueDate: someDay,
  documentExpiryDate: someDay,
});

const anyParents = {
  documentMotherFullName: text,
  documentMotherResidenceCity: text,
  documentFatherFullName: text,
  documentFatherResidenceCity: text,
};

const mode = <Mode extends string>(of: Mode) => ({ mode: fc.constant(of) });

const requestOn = (day: Date): fc.Arbitrary<OnboardingRequest> =>
  fc.record({
    externalId: fc.stringMatching(/^[A-Za-z0-9@ _:-]{1,40}$/),
    person: fc.record(
      { ...required, ...optional },
      { requiredKeys: Object.keys(required) as (keyof typeof required)[] },
    ),
    identification: fc.oneof(
      fc.record({ ...mode('video'), redirectUrl: fc.webUrl({ validSchemes: ['https'] }) }, { requiredKeys: ['mode'] }),
      fc.record({ ...mode('supplied'), ...documentOn(day), identificationDocumentType: fc.constant('ID') }),
      fc.record({
        ...mode('supplied'),
        ...documentOn(day),
        ...anyParents,
        identificationDocumentType: fc.constant('BIRTH_CERTIFICATE'),
      }),
      fc.record(mode('none')),
    ),
  });

type Json = Record<string, unknown>;

/** What is wrong with a request, and the field that must be named for it. */
export type Flaw = { readonly field: string; readonly value: unknown };

/** Looks like nothing else: no problem may repeat it. */
export const canary = 'CANARY Mustermann';

const wrong = (field: string, ...values: readonly unknown[]): readonly Flaw[] =>
  values.map((value) => ({ field, value }));
const gone = undefined;

const flawsOfAll: readonly Flaw[] = [
  ...wrong('externalId', gone, '', 7, null, `${canary}/1`, '..', `${canary}\u0000`, canary.repeat(20), '\ud800'),
  ...wrong('person.gender', gone, canary, 1),
  ...wrong('person.firstName', gone, ` ${canary}`, `${canary}  x`, '', canary.repeat(20)),
  ...wrong('person.lastName', gone, '', 5, canary.repeat(20)),
  ...wrong('person.birthDay', gone, '1990-02-30', canary, '1990', '1990-02-03T00:00:00Z'),
  ...wrong('person.birthPlace', gone, '', false, `${canary}\ud800`),
  ...wrong('person.birthCountry', gone, 'XX', 'de', canary),
  ...wrong('person.isUsNationality', gone, 'no', 0),
  ...wrong('person.title', canary, null),
  ...wrong('person.language', 'ja', canary),
  ...wrong('person.annualIncomeNet', canary, null),
  ...wrong('person.nationalities', canary, {}),
  ...wrong('person.mainAddress.zip', '12', canary, ''),
  ...wrong('person.contact.phone', '1', canary.repeat(2)),
  ...wrong('person.naturalPersonStatus', 'ACTIVE'),
  ...wrong('person.externalId', canary),
  ...wrong('requestedBy', canary),
];

type Mode = OnboardingRequest['identification']['mode'];

const flawsOfModes = (day: Date): Readonly<Record<Mode, readonly Flaw[]>> => ({
  none: [
    ...wrong('identification.mode', gone, 'VIDEO', 3),
    ...wrong('identification.redirectUrl', 'https://partner.example'),
  ],
  video: [
    ...wrong('identification.redirectUrl', 'http://partner.example', canary, 'https:partner', 3),
    ...wrong('identification.documentNumber', canary),
  ],
  supplied: [
    ...wrong('identification.externalVerifier', gone, canary),
    ...wrong('identification.identificationDate', gone, '2024-01-01', dayOf(daysFrom(day, 2)), canary),
    ...wrong('identification.documentNumber', gone, '', 5, `\udc00${canary}`),
    ...wrong('identification.documentCountry', gone, 'XX', canary),
    ...wrong('identification.documentIssueDate', gone, canary, '2020-13-01'),
    ...wrong('identification.documentExpiryDate', gone, '2020-00-01'),
    ...wrong('identification.redirectUrl', 'https://partner.example'),
  ],
});

type BrokenRequest = { readonly body: unknown; readonly fields: ReadonlySet<string> };

const brokenOn = (day: Date): fc.Arbitrary<BrokenRequest> =>
  requestOn(day).chain((request) =>
    fc
      .uniqueArray(fc.constantFrom(...flawsOf(request, day)), {
        minLength: 1,
        maxLength: 5,
        selector: ({ field }) => field,
      })
      .map(judgeable)
      .map((flaws) => ({
        body: flaws.reduce<unknown>(spoil, request),
        fields: new Set(flaws.map(({ field }) => field)),
      })),
  );

/** Any request that is right. */
export const anyRequest = requestOn(today);

/** Any request with one to five things wrong, and the fields that are. */
export const brokenRequest = brokenOn(today);

/** An unknown mode has no fields of its own. */
function judgeable(flaws: readonly Flaw[]): readonly Flaw[] {
  const isOfUnknownMode = flaws.some(({ field }) => field === 'identification.mode');
  return flaws.filter(({ field }) => !isOfUnknownMode || !/^identification\.(?!mode$)/.test(field));
}

function flawsOf({ identification }: OnboardingRequest, day: Date): readonly Flaw[] {
  const flawsOfMode = flawsOfModes(day)[identification.mode];
  if (identification.mode !== 'supplied') return [...flawsOfAll, ...flawsOfMode];
  const isBirthCertificate = identification.identificationDocumentType === 'BIRTH_CERTIFICATE';
  const ofParents = Object.keys(parents).map((name) => ({
    field: `identification.${name}`,
    value: isBirthCertificate ? gone : '',
  }));
  return [...flawsOfAll, ...flawsOfMode, ...ofParents];
}

/** The request with a field set otherwise, or left out. */
function spoil(request: unknown, { field, value }: Flaw): unknown {
  const [first = '', ...rest] = field.split('.');
  const { [first]: before, ...others } = request as Json;
  if (rest.length > 0) return { ...others, [first]: spoil(before ?? {}, { field: rest.join('.'), value }) };
  return value === gone ? others : { ...others, [first]: value };
}
