import type { OnboardingData } from '#shared/onboarding/onboarding-data.ts';
import type { NaturalPerson } from '#shared/platform/resources/natural-person.ts';

/**
 * What tells one person from another, and seldom changes. Other fields may have been updated since the person was created,
 * or be written otherwise by the platform.
 */
const identity = ['firstName', 'lastName', 'birthDay'] as const;

/** The fields in which the person on the platform is another than the one requested; what is not shown is no difference. */
export function differingFields(requested: OnboardingData['person'], found: NaturalPerson): readonly string[] {
  return identity.filter((field) => {
    const [one, other] = [requested?.[field], found[field]];
    return typeof one === 'string' && typeof other === 'string' && fold(one) !== fold(other);
  });
}

/** Whether the person on the platform is the natural person that was requested: all that is compared is shown, and alike. */
export function isNamesake(requested: OnboardingData['person'], found: NaturalPerson): boolean {
  return identity.every((field) => typeof found[field] === 'string') && differingFields(requested, found).length === 0;
}

/** In characters. Normalization takes quadratic time for long runs of combining marks, and no name is longer. */
const maxFolded = 1_000;

function fold(text: string): string {
  if (text.length > maxFolded) return text;
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** What tells one identification of a person from another. */
const identifying = ['documentNumber', 'identificationDate', 'identificationDocumentType'] as const;

/** Whether the platform shows the identification that the partner supplies. */
export function isIdentifiedBy(supplied: OnboardingData['identification'], person: NaturalPerson): boolean {
  if (supplied === undefined) return false;
  return (person.naturalPersonIdentifications ?? []).some((shown) => {
    const received = identifying.filter((field) => typeof shown[field] === 'string');
    return received.length > 0 && received.every((field) => shown[field] === supplied[field]);
  });
}
