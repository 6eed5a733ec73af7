import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings.ts';
import type { Proxies } from './proxies.ts';

export type RequestorsDeps = {
  /** The status of a natural person; undefined where there is none of this id. */
  readonly statusOf: (naturalPersonId: string) => string | undefined;
  readonly proxies: Pick<Proxies, 'isActive' | 'mayRepresent'>;
  readonly settings: SettingsStore;
};

/** A call that is about one natural person. */
export type RequestorTarget = {
  readonly naturalPersonId: string;
  /** Whether it belongs to the person's own identification, where an environment may take one that is not ACTIVE yet. */
  readonly isIdentification?: boolean;
};

export type Requestors = ReturnType<typeof createRequestors>;

/** The rules of section 5 about the Requestor-ID header, for a header that is there and is a UUID. */
export function createRequestors({ statusOf, proxies, settings }: RequestorsDeps) {
  /**
   * Rule 3, which is all there is for a call that is about no single natural person.
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

  /** Rules 4 and 5. */
  function mayActFor(requestorId: string, naturalPersonId: string): boolean {
    return requestorId === naturalPersonId || proxies.isActive(requestorId, naturalPersonId);
  }

  /** Whether there may be anybody else that it may act for: `mayActFor` says for whom. */
  function mayActForOthers(requestorId: string): boolean {
    return statusOf(requestorId) === 'ACTIVE' && proxies.mayRepresent(requestorId);
  }

  /** Rules 3 to 6. @throws {RefusedError} VALIDATION_ERROR, or `Requestor-ID invalid` */
  function authorize(requestorId: string, { naturalPersonId, isIdentification = false }: RequestorTarget): void {
    requireActive(requestorId, { isIdentification: isIdentification && requestorId === naturalPersonId });
    if (!mayActFor(requestorId, naturalPersonId)) throw new RefusedError(400, 'Requestor-ID invalid');
  }

  return { requireActive, mayActFor, mayActForOthers, authorize };
}

/** On its way to ACTIVE: none that was SUSPENDED, BLOCKED or turned away. */
function isNotActiveYet(status: string | undefined): boolean {
  return status === 'RECEIVED' || status === 'CREATED' || status === 'PENDING';
}
