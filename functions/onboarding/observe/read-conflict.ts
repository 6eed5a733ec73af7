import type { ConflictSubject } from '#shared/onboarding/onboarding-state.ts';
import type { PlatformHttpError } from '#shared/platform/client/http-error.ts';

/**
 * What a 409 to a new person is about, as far as its body says: undefined for most bodies, since their shape is not
 * specified. An `errorCode` such as PERSON_EXISTS_WITH_OTHER_EXTERNAL_ID names both.
 */
export function conflictOf({ errorCode, errorDetails }: PlatformHttpError): ConflictSubject | undefined {
  const fields = errorDetails.map(({ field }) => field).filter((field) => field !== undefined);
  if (fields.some(isExternalId)) return 'EXTERNAL_ID';
  if (fields.length > 0) return 'PERSON';
  const codes = [errorCode, ...errorDetails.flatMap(({ errors }) => errors.map(({ code }) => code))];
  const words = codes.filter((code) => code !== undefined).map(squeeze);
  if (words.some((code) => namesPerson.some((word) => code.includes(word)))) return 'PERSON';
  return words.some((code) => code.includes('externalid')) ? 'EXTERNAL_ID' : undefined;
}

function isExternalId(field: string): boolean {
  return squeeze(field).endsWith('externalid');
}

/** Words that an `errorCode` may hold where the natural person is known already. */
const namesPerson = [
  'otherexternalid',
  'differentexternalid',
  'personexists',
  'personalreadyexists',
  'duplicateperson',
];

/** The letters and digits alone, in lower case: `EXTERNAL_ID`, `externalId` and `data.external-id` are alike. */
function squeeze(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}
