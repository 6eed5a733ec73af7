import { identityFields, type NaturalPerson } from './natural-person.ts';

/** What a request says of the person that it creates. */
type RequestedIdentity = Readonly<Partial<Record<(typeof identityFields)[number], unknown>>> | undefined;

/**
 * The fields in which the person on the platform differs from the requested one. Compares only the fields that identify a person:
 * others may have been updated, or be written differently. A field that the platform does not show does not differ. For a person that
 * is not {@link isComparable} the result is empty, and proves nothing.
 */
export function differingFields(requested: RequestedIdentity, found: NaturalPerson): readonly string[] {
  return identityFields.filter((field) => {
    const [one, other] = [requested?.[field], found[field]];
    return typeof one === 'string' && typeof other === 'string' && fold(one) !== fold(other);
  });
}

/** Whether the platform shows at least one field that can be compared with the request. */
export function isComparable(requested: RequestedIdentity, found: NaturalPerson): boolean {
  return identityFields.some((field) => typeof requested?.[field] === 'string' && typeof found[field] === 'string');
}

/** Whether the person on the platform is the requested natural person: all compared fields are shown, and equal. */
export function isNamesake(requested: RequestedIdentity, found: NaturalPerson): boolean {
  return (
    identityFields.every((field) => typeof found[field] === 'string') && differingFields(requested, found).length === 0
  );
}

/** In characters. Normalization takes quadratic time for long runs of combining marks; no real name is longer. */
const maxFolded = 1_000;

function fold(text: string): string {
  if (text.length > maxFolded) return text;
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
