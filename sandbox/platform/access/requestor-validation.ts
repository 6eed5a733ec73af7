import type { ValidationError } from '#sandbox/platform/core/fields.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { Requestors, RequestorTarget } from './requestors.ts';

/** Finds the rule of section 5 that the requestor of an action for a natural person or a legal entity breaks. */
export function findValidationError(
  requestors: Pick<Requestors, 'authorize'>,
  { requestorId, naturalPersonId, legalEntityId }: RequestorTarget & { readonly requestorId: string },
): ValidationError | undefined {
  try {
    requestors.authorize(requestorId, { naturalPersonId, legalEntityId });
    return undefined;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { errorType: error.errorCode ?? 'REQUESTOR_ID_INVALID', description: error.message };
  }
}
