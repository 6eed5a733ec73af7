import { canaries, externalIdCanary } from './canary.ts';
import type { Fate } from './onboarding-fates.ts';

const [word, number] = canaries;

/** A request for the onboarding of somebody whom nobody knows. Each field that may be any text holds a canary. */
export function createRequest(index: number, { mode, isMinor }: Pick<Fate, 'mode' | 'isMinor'>, today: Date) {
  const own = String(index).padStart(4, '0');
  const text = (field: string) => `${word} ${own} ${field}`;
  return {
    externalId: `${externalIdCanary}-${own}@partner.example`,
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

/** An update of the person (section 4.1): of fields that need a document, and of others. */
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

/** Section 4.2. */
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
    // Of a birth certificate, the date on which the person comes of age.
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
