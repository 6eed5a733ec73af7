import type { Difference } from '#shared/bus/event-details.ts';
import type { Entity } from '#shared/entities/entity-store.ts';
import { toStatus } from '#shared/entities/statuses/entity-rules.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { PlatformError, PlatformHttpError } from '#shared/platform/client/errors.ts';
import { word } from '#shared/platform/fields/received.ts';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';
import { getIdentificationVerification } from '#shared/platform/resources/identification-verifications.ts';
import { getNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import { getTransfer } from '#shared/platform/resources/transfers.ts';
import type { EntityToRead, FindRequestor } from './find-requestor.ts';

/** Resolves when the next call may begin. @throws the signal's reason when it is aborted before */
export type Pace = (signal: AbortSignal) => Promise<void>;

type PaceDeps = {
  readonly callsPerSecond: number;
  readonly now: () => Date;
  /** Resolves after these milliseconds; rejects with the reason of the signal if it is aborted before. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};

/** Limits the rate at which calls begin: unused time is not saved up. */
export function createPace({ callsPerSecond, now, wait }: PaceDeps): Pace {
  const interval = 1_000 / callsPerSecond;
  let next = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    signal.throwIfAborted();
    const time = now().getTime();
    const begins = Math.max(time, next);
    next = begins + interval;
    if (begins > time) await wait(begins - time, signal);
  };
}

/** The state of an entity on the platform. */
export type PlatformState = { readonly status: string; readonly modifiedOn: string };

/**
 * How an entity differs from the answer of the platform. If the stored time is later there is no difference: a webhook was faster than
 * the answer.
 */
export function differencesOf(
  entity: Pick<Entity, 'status' | 'modifiedOn'> | undefined,
  answered: PlatformState,
): readonly Difference[] {
  if (entity === undefined) return ['entity'];
  const order = entity.modifiedOn === undefined ? -1 : compareTimestamps(entity.modifiedOn, answered.modifiedOn);
  if (order > 0) return [];
  const status = entity.status === answered.status ? [] : (['status'] as const);
  return order < 0 ? [...status, 'modifiedOn'] : status;
}

/** The state of an entity on the platform; `gone` if the platform does not know it; `unanswered` if it gives no usable answer. */
export type Answer = PlatformState | 'gone' | 'unanswered';

/** @throws {PlatformError} when the platform fails, not only for this entity; the reason of the signal */
export type ReadPlatformEntity = (key: EntityToRead, stop: AbortSignal) => Promise<Answer>;

type ReadPlatformEntityDeps = {
  readonly client: PlatformClient;
  readonly pace: Pace;
  readonly findRequestor: FindRequestor;
  /** How many consecutive calls may fail before the platform counts as down. */
  readonly maxFailures: number;
};

/** Reads one person, verification or transfer. A failure of a single entity must not stop the run. */
export function createReadPlatformEntity({
  client,
  pace,
  findRequestor,
  maxFailures,
}: ReadPlatformEntityDeps): ReadPlatformEntity {
  const { profile } = client;
  let failures = 0;

  async function read(key: EntityToRead, signal: AbortSignal): Promise<Answer> {
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

/** A status that cannot be stored, or an answer without a time, counts as unanswered. */
export function platformStateOf(
  isIt: boolean,
  status: unknown,
  modifiedOn: string | null | undefined,
): PlatformState | 'unanswered' {
  const { success, data } = word.safeParse(status);
  return isIt && success && typeof modifiedOn === 'string' ? { status: data, modifiedOn } : 'unanswered';
}
