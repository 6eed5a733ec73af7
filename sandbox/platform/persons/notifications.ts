import type { ValidationError } from '#sandbox/platform/core/fields.ts';
import type { IdentificationVerification } from './identification-verification-schema.ts';
import type { NaturalPerson } from './natural-person-schema.ts';

/** What a notification says besides what a GET shows. */
export type News = {
  readonly notificationType: 'CREATED' | 'UPDATED' | 'VALIDATION_ERROR';
  /** Why it failed: a GET never tells. */
  readonly validationError?: ValidationError | undefined;
};

/** The body of NATURAL_PERSON_NOTIFICATION (section 6). No personal data. */
export function naturalPersonNotification(person: NaturalPerson, news: News) {
  const { naturalPersonId, externalId, naturalPersonStatus: status, createdOn, modifiedOn } = person;
  return { naturalPersonId, externalId, status, createdOn, modifiedOn, ...news };
}

/** The body of IDENTIFICATION_VERIFICATION_NOTIFICATION (section 6). */
export function identificationVerificationNotification(verification: IdentificationVerification, news: News) {
  const { identificationVerificationId, naturalPersonId, status, createdOn, modifiedOn } = verification;
  return { identificationVerificationId, naturalPersonId, status, createdOn, modifiedOn, ...news };
}
