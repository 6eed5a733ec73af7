import { toStatus } from '#shared/entities/statuses/known-status.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { PlatformError } from '#shared/platform/client/errors.ts';
import { PlatformHttpError } from '#shared/platform/client/http-error.ts';
import { word } from '#shared/platform/fields/received.ts';
import { getIdentificationVerification } from '#shared/platform/resources/identification-verifications.ts';
import { getNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import { getTransfer } from '#shared/platform/resources/transfers.ts';
import type { PlatformState } from './compare-entity.ts';
import type { Asked, FindRequestor } from './find-requestor.ts';
import type { Pace } from './pace.ts';

/** How an entity stands, that the platform does not know it, or that it does not say. */
export type Answer = PlatformState | 'gone' | 'unanswered';

/** @throws {PlatformError} when the platform fails, and not this entity alone; the signal's reason */
export type ReadPlatform = (key: Asked, stop: AbortSignal) => Promise<Answer>;

export type ReadPlatformDeps = {
  readonly client: PlatformClient;
  readonly pace: Pace;
  readonly findRequestor: FindRequestor;
  /** How many calls may fail in a row before it is the platform that is down. */
  readonly maxFailures: number;
};

/** Asks the platform for one person, verification or transfer: what it must not stop at is one that it fails at. */
export function createReadPlatform({ client, pace, findRequestor, maxFailures }: ReadPlatformDeps): ReadPlatform {
  const { profile } = client;
  let failures = 0;

  async function read(key: Asked, signal: AbortSignal): Promise<Answer> {
    if (key.kind === 'natural-person') {
      await pace(signal);
      const { naturalPersonId, naturalPersonStatus, modifiedOn } = await getNaturalPerson(client, key.id, { signal });
      return platformStateOf(naturalPersonId === key.id, toStatus(key.kind, profile, naturalPersonStatus), modifiedOn);
    }
    const requestor = await findRequestor(key);
    if (requestor === 'unknown') return 'unanswered';
    const { requestorId } = requestor;
    await pace(signal);
    if (key.kind === 'transfer') {
      const { transferId, transferStatus, modifiedOn } = await getTransfer(client, requestorId, key.id, { signal });
      return platformStateOf(transferId === key.id, toStatus(key.kind, profile, transferStatus), modifiedOn);
    }
    const { identificationVerificationId, status, modifiedOn } = await getIdentificationVerification(
      client,
      requestorId,
      key.id,
      { signal },
    );
    return platformStateOf(identificationVerificationId === key.id, toStatus(key.kind, profile, status), modifiedOn);
  }

  return async (key, stop) => {
    try {
      const answer = await read(key, stop);
      failures = 0;
      return answer;
    } catch (error) {
      stop.throwIfAborted();
      if (!(error instanceof PlatformError)) throw error;
      if (error instanceof PlatformHttpError && error.status === 404) return 'gone';
      const isPlatformDown = error.isRetryable || (error instanceof PlatformHttpError && error.status === 401);
      failures = isPlatformDown ? failures + 1 : 0;
      if (failures > maxFailures) throw error;
      return 'unanswered';
    }
  };
}

/** What cannot be written down, or has no time, settles nothing. */
export function platformStateOf(
  isIt: boolean,
  status: unknown,
  modifiedOn: string | null | undefined,
): PlatformState | 'unanswered' {
  const { success, data } = word.safeParse(status);
  return isIt && success && typeof modifiedOn === 'string' ? { status: data, modifiedOn } : 'unanswered';
}
