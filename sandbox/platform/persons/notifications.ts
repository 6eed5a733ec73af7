import type { ValidationError } from '#sandbox/platform/core/fields.ts';
import type { NaturalPerson } from './natural-person-schema.ts';

/** What a notification says beyond the resource that a GET returns. */
export type NotificationDetails = {
  readonly notificationType: 'CREATED' | 'UPDATED' | 'VALIDATION_ERROR';
  /** The reason for a failure, which no GET returns. */
  readonly validationError?: ValidationError | undefined;
};

/** The body of NATURAL_PERSON_NOTIFICATION (section 6). No personal data except the externalId. */
export function naturalPersonNotification(person: NaturalPerson, details: NotificationDetails) {
  const { naturalPersonId, externalId, naturalPersonStatus: status, createdOn, modifiedOn } = person;
  return { naturalPersonId, externalId, status, createdOn, modifiedOn, ...details };
}
