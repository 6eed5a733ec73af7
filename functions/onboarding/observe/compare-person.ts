import type { OnboardingData } from '#shared/onboarding/onboarding-state.ts';
import { identityFields, type NaturalPerson } from '#shared/platform/resources/natural-person.ts';

/**
 * The fields in which the person on the platform is another than the one requested. Only what tells persons apart is compared: the
 * rest may have been updated since, or be written otherwise. What is not shown is no difference, and what is shown in a form that
 * cannot be compared leaves the search undecided. Of a person that is not {@link isComparable} no field differs, and that proves nothing.
 */
export function differingFields(requested: OnboardingData['person'], found: NaturalPerson): readonly string[] {
  return identityFields.filter((field) => {
    const [one, other] = [requested?.[field], found[field]];
    return typeof one === 'string' && typeof other === 'string' && fold(one) !== fold(other);
  });
}

/** Whether the person on the platform shows anything by which it could be another than the one requested. */
export function isComparable(requested: OnboardingData['person'], found: NaturalPerson): boolean {
  return identityFields.some((field) => typeof requested?.[field] === 'string' && typeof found[field] === 'string');
}

/** Whether the person on the platform is the natural person that was requested: all that is compared is shown, and alike. */
export function isNamesake(requested: OnboardingData['person'], found: NaturalPerson): boolean {
  return (
    identityFields.every((field) => typeof found[field] === 'string') && differingFields(requested, found).length === 0
  );
}

/** In characters. Normalization takes quadratic time for long runs of combining marks, and no name is longer. */
const maxFolded = 1_000;

function fold(text: string): string {
  if (text.length > maxFolded) return text;
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** What tells one identification of a document from another, where it is shown. */
const identifying = ['identificationDate', 'identificationDocumentType'] as const;

/**
 * Whether the platform shows the identification that the partner supplies: its documentNumber, and nothing that differs. Without the
 * number it could be any other document of the same day, and the supplied one would never be sent.
 */
export function isIdentifiedBy(supplied: OnboardingData['identification'], person: NaturalPerson): boolean {
  if (supplied === undefined) return false;
  return (person.naturalPersonIdentifications ?? []).some(
    (shown) =>
      shown.documentNumber === supplied.documentNumber &&
      identifying.every((field) => typeof shown[field] !== 'string' || shown[field] === supplied[field]),
  );
}
