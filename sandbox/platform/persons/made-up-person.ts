import type { IdentificationMeans, NewNaturalPersonIdentification } from './identification-schema.ts';
import type { NewNaturalPerson } from './natural-person-schema.ts';

const women = ['Ada', 'Clara', 'Emmy', 'Hedy', 'Lise Marie', 'Marta'];
const men = ['Anton', 'Emil', 'Konrad', 'Leonhard', 'Max Josef', 'Otto'];
const lastNames = ['Beispiel', 'Exempel', 'Muster', 'Probe', 'Sample', 'Vorlage'];
const cities = ['Berlin', 'Hamburg', 'Leipzig', 'Stuttgart'];

/** Makes up a person of age with every field. @param random from 0 to 1 */
export function madeUpPerson(random: () => number): NewNaturalPerson {
  const isWoman = random() < 0.5;
  const city = oneOf(cities, random);
  return {
    gender: isWoman ? 'FEMALE' : 'MALE',
    firstName: oneOf(isWoman ? women : men, random),
    lastName: oneOf(lastNames, random),
    maritalStatus: 'MARRIED',
    birthDay: madeUpDate(1950, 50, random),
    birthPlace: city,
    birthCountry: 'DE',
    nationalities: [{ countryCode: 'DE' }],
    language: 'de',
    taxDetails: [{ taxId: digits(11, random), taxResidency: 'DE', noTinConfirmation: false }],
    isUsNationality: false,
    profession: 'Lighthouse keeper',
    professionGroup: 'EMPLOYED',
    naceSectors: [{ section: 'H', description: 'Transportation and storage' }],
    mainAddress: {
      street: 'Musterstraße',
      streetNumber: digits(2, random),
      city,
      zip: digits(5, random),
      country: 'DE',
    },
    annualIncomeNet: 10_000 + Math.floor(random() * 90) * 1_000,
    sourceOfIncome: ['INCOME_FROM_EMPLOYMENT'],
    availableAssets: Math.floor(random() * 500) * 1_000,
    originOfAssets: ['NON_EMPLOYED_LABOR'],
    contact: { phone: `+49 30 ${digits(7, random)}`, email: `${digits(8, random)}@partner.example` },
  };
}

/** What a video call of this vendor on this day finds out. */
export function madeUpIdentification(
  means: IdentificationMeans,
  today: string,
  random: () => number,
): NewNaturalPersonIdentification {
  const year = Number(today.slice(0, 4));
  return {
    ...means,
    identificationDate: today,
    identificationDocumentType: 'ID',
    documentNumber: `L${digits(8, random)}`,
    documentCountry: 'DE',
    documentIssuer: oneOf(cities, random),
    documentIssueDate: madeUpDate(year - 5, 4, random),
    documentExpiryDate: madeUpDate(year + 5, 4, random),
  };
}

function madeUpDate(firstYear: number, years: number, random: () => number): string {
  const two = (number: number) => String(1 + Math.floor(random() * number)).padStart(2, '0');
  return `${firstYear + Math.floor(random() * years)}-${two(12)}-${two(28)}`;
}

function digits(count: number, random: () => number): string {
  return Array.from({ length: count }, () => 1 + Math.floor(random() * 9)).join('');
}

function oneOf(words: readonly string[], random: () => number): string {
  return words[Math.floor(random() * words.length)] ?? '';
}
