import type { ValidationError } from '#sandbox/platform/core/fields.ts';
import { RefusedError, refusedFields } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import type { Proxies } from './proxies.ts';

export type RequestorsDeps = {
  /** The status of a natural person; undefined for an unknown id. */
  readonly statusOf: (naturalPersonId: string) => string | undefined;
  readonly proxies: Pick<Proxies, 'isActive' | 'mayRepresent'>;
  readonly settings: SettingsStore;
};

/** The natural person or the legal entity that a call is about. */
export type RequestorTarget = {
  readonly naturalPersonId?: string | undefined;
  readonly legalEntityId?: string | undefined;
  /** Whether the call is about an identification: some environments accept a person's own before it is ACTIVE. */
  readonly isIdentification?: boolean;
};

export type Requestors = ReturnType<typeof createRequestors>;

/** The rules of section 5 for a Requestor-ID that is a UUID. */
export function createRequestors({ statusOf, proxies, settings }: RequestorsDeps) {
  /**
   * Rule 3, the only rule for a call that is not about one natural person.
   *
   * @throws {RefusedError} VALIDATION_ERROR
   */
  function requireActive(requestorId: string, { isIdentification = false } = {}): void {
    const status = statusOf(requestorId);
    if (status === 'ACTIVE') return;
    if (isIdentification && settings.read().acceptSelfBeforeActive && isNotActiveYet(status)) return;
    throw new RefusedError(400, 'The natural person of the Requestor-ID is not ACTIVE.', {
      errorCode: 'VALIDATION_ERROR',
    });
  }

  /**
   * Rule 2, of an operation whose examples carry no Requestor-ID: undefined if the platform needs none.
   *
   * @throws {RefusedError} the Requestor-ID is missing, or VALIDATION_ERROR
   */
  function requireEverywhere(requestorId: string | undefined, target: { readonly isIdentification?: boolean } = {}) {
    const { requireRequestorEverywhere, missingRequestorStatus } = settings.read();
    if (!requireRequestorEverywhere) return undefined;
    if (requestorId === undefined) {
      const missing = { field: 'Requestor-ID', code: 'MISSING', message: 'must be given' };
      throw refusedFields([missing], missingRequestorStatus);
    }
    requireActive(requestorId, target);
    return requestorId;
  }

  /** Rules 4 and 5. */
  function mayActFor(requestorId: string, targetId: string): boolean {
    return requestorId === targetId || proxies.isActive(requestorId, targetId);
  }

  /** Whether the requestor may act for other persons. `mayActFor` says for which ones. */
  function mayActForOthers(requestorId: string): boolean {
    return statusOf(requestorId) === 'ACTIVE' && proxies.mayRepresent(requestorId);
  }

  /** Rules 3 to 6. @throws {RefusedError} VALIDATION_ERROR, or `Requestor-ID invalid` */
  function authorize(requestorId: string, target: RequestorTarget): void {
    const { naturalPersonId, legalEntityId = '', isIdentification = false } = target;
    requireActive(requestorId, { isIdentification: isIdentification && requestorId === naturalPersonId });
    if (!mayActFor(requestorId, naturalPersonId ?? legalEntityId)) throw new RefusedError(400, 'Requestor-ID invalid');
  }

  /** The rule that `authorize` would throw for an action; undefined if the requestor breaks none. */
  function findValidationError(requestorId: string, target: RequestorTarget): ValidationError | undefined {
    try {
      authorize(requestorId, target);
      return undefined;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return { errorType: error.errorCode ?? 'REQUESTOR_ID_INVALID', description: error.message };
    }
  }

  return { requireActive, requireEverywhere, mayActFor, mayActForOthers, authorize, findValidationError };
}

/** The statuses before ACTIVE, without SUSPENDED, BLOCKED and rejections. */
function isNotActiveYet(status: string | undefined): boolean {
  return status === 'RECEIVED' || status === 'CREATED' || status === 'PENDING';
}
