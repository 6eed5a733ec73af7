import * as z from 'zod';
import type { Requestors } from '#sandbox/platform/access/requestors.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';

/** Why a record is INVALID. Said in the notification alone. */
export const validationError = z
  .strictObject({ errorType: z.string(), description: z.string() })
  .meta({ id: 'ValidationError' });

export type ValidationError = z.infer<typeof validationError>;

/** In seconds: after 48 hours an INVALID record is purged (section 8). */
export const invalidRetention = 48 * 3_600;

/** What the rules of section 5 have against the requestor of an action for a natural person. */
export function findValidationError(
  requestors: Pick<Requestors, 'authorize'>,
  { requestorId, naturalPersonId }: { readonly requestorId: string; readonly naturalPersonId: string },
): ValidationError | undefined {
  try {
    requestors.authorize(requestorId, { naturalPersonId });
    return undefined;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { errorType: error.errorCode ?? 'REQUESTOR_ID_INVALID', description: error.message };
  }
}
