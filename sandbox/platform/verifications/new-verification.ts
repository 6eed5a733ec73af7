import { supported } from '#sandbox/platform/persons/identification-schema.ts';
import type { IdentificationVerification } from './identification-verification-schema.ts';

export function received(naturalPersonId: string, id: string, createdOn: string): IdentificationVerification {
  return {
    identificationVerificationId: id,
    naturalPersonId,
    ...supported,
    createdOn,
    modifiedOn: createdOn,
    status: 'RECEIVED',
  };
}
