import type { IdentificationMeans } from '#sandbox/platform/persons/identification-schema.ts';
import type { IdentificationVerification } from './identification-verification-schema.ts';

export function received(
  naturalPersonId: string,
  means: IdentificationMeans,
  id: string,
  createdOn: string,
): IdentificationVerification {
  return {
    identificationVerificationId: id,
    naturalPersonId,
    ...means,
    createdOn,
    modifiedOn: createdOn,
    status: 'RECEIVED',
  };
}
