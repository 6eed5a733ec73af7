import { shuffled } from '#sandbox/platform/core/random.ts';
import { externalIdMarker, markerWords } from '#sandbox/scenario/common/marker-words.ts';
import type { Persona } from './personas.ts';

/** A person to be onboarded, and the persona that decides the outcome. */
export type PlannedOnboarding = {
  readonly name: string;
  readonly persona: Persona;
  readonly request: RequestedOnboarding;
  /** Whether an event on the bus requests it, instead of the API. */
  readonly isByEvent: boolean;
};

export type OnboardingPlanProps = {
  readonly persons: number;
  /** The personas by name. */
  readonly personas: Readonly<Record<string, Persona>>;
  readonly random: () => number;
  readonly today: Date;
  /** The number of the first person, by default 0: plans with persons of the same numbers have equal externalIds. */
  readonly first?: number;
};

/** One in so many onboardings is requested on the bus. */
const byEventEvery = 4;

/** Plans persons of every persona, as far as the number of persons allows, in random order. */
export function createOnboardingPlan({
  persons,
  personas,
  random,
  today,
  first = 0,
}: OnboardingPlanProps): readonly PlannedOnboarding[] {
  const all = Object.entries(personas);
  const byWeight = shuffled(
    all.flatMap(([name, persona]) => Array.from({ length: persona.weight - 1 }, () => [name, persona] as const)),
    random,
  );
  const chosen = Array.from({ length: persons }, (_, index) => all[index] ?? byWeight[index % byWeight.length]);
  const planned = chosen.flatMap((one, index) => {
    if (one === undefined) return [];
    const [name, persona] = one;
    const request = createRequest(first + index, persona, today);
    return [{ name, persona, request, isByEvent: index % byEventEvery === 1 }];
  });
  return shuffled(planned, random);
}

const [word, number] = markerWords;

/** Creates a request for a new person. Each field with free text holds a marker word. */
export function createRequest(index: number, { mode, isMinor }: Pick<Persona, 'mode' | 'isMinor'>, today: Date) {
  const own = String(index).padStart(4, '0');
  const text = (field: string) => `${word} ${own} ${field}`;
  return {
    externalId: `${externalIdMarker}-${own}@partner.example`,
    person: {
      gender: index % 2 === 0 ? 'FEMALE' : 'MALE',
      firstName: text('Erika'),
      lastName: text('Mustermann'),
      birthDay: dayBefore(today, isMinor === true ? 10 : 40),
      birthPlace: text('Berlin'),
      birthCountry: 'DE',
      isUsNationality: false,
      nationalities: [{ countryCode: 'DE', nationalIdentifier: text('identifier'), nationalIdentifierType: 'CONCAT' }],
      taxDetails: [{ taxId: text('tax id'), taxResidency: 'DE', noTinConfirmation: false }],
      profession: text('Lighthouse keeper'),
      mainAddress: { street: text('street'), streetNumber: text('1'), city: text('city'), zip: number, country: 'DE' },
      contact: { phone: `+49 ${number} ${own}`, email: `${word}-${own}@person.example` },
    },
    identification: mode === 'supplied' ? suppliedBy(text, isMinor === true, today) : { mode },
  };
}

export type RequestedOnboarding = ReturnType<typeof createRequest>;

/** Creates an update of the person (section 4.1): some fields need a document, others do not. */
export function updateOf({ person }: Pick<RequestedOnboarding, 'person'>) {
  return {
    naturalPersonUpdateData: {
      lastName: `${person.lastName} married`,
      profession: `${person.profession}, retired`,
      contact: { ...person.contact, email: `new-${person.contact.email}` },
    },
    documentId: '0b5f6a51-0d5c-4c0e-9d8a-2f4f8f0b7a63',
  };
}

/** Creates a supplied identification (section 4.2). */
function suppliedBy(text: (field: string) => string, isMinor: boolean, today: Date) {
  return {
    mode: 'supplied' as const,
    externalVerifier: 'EXTERNAL_VERIFIER_ID',
    identificationType: 'VIDEO_IDENT',
    identificationDate: dayBefore(today, 1),
    identificationDocumentType: isMinor ? 'BIRTH_CERTIFICATE' : 'ID',
    documentNumber: text('number'),
    documentCountry: 'DE',
    documentIssuer: text('issuer'),
    documentIssueDate: dayBefore(today, 2),
    // A birth certificate expires when the person comes of age.
    documentExpiryDate: dayBefore(today, -8),
    ...(isMinor && {
      documentMotherFullName: text('mother'),
      documentMotherResidenceCity: text('her city'),
      documentFatherFullName: text('father'),
      documentFatherResidenceCity: text('his city'),
    }),
  };
}

function dayBefore(today: Date, years: number): string {
  const [year, month] = [today.getUTCFullYear() - years, today.getUTCMonth()];
  return new Date(Date.UTC(year, month, Math.min(28, today.getUTCDate()))).toISOString().slice(0, 10);
}
