import type { NotificationDetails } from '#sandbox/platform/persons/natural-person-lifecycle.ts';
import type { IdentificationVerification } from './identification-verification-schema.ts';

/** The body of IDENTIFICATION_VERIFICATION_NOTIFICATION (section 6). */
export function identificationVerificationNotification(
  verification: IdentificationVerification,
  details: NotificationDetails,
) {
  const { identificationVerificationId, naturalPersonId, status, createdOn, modifiedOn } = verification;
  return { identificationVerificationId, naturalPersonId, status, createdOn, modifiedOn, ...details };
}
