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
import type { Asked, FindRequestor } from './find-requestor.ts';

/** Resolves when the next call may begin. @throws the signal's reason when it is aborted before */
export type Pace = (signal: AbortSignal) => Promise<void>;

type PaceDeps = {
  readonly callsPerSecond: number;
  readonly now: () => Date;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted before. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};

/** Lets calls begin no faster than at this rate: time that was not used is not saved up. */
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

/** How an entity stands on the platform. */
export type PlatformState = { readonly status: string; readonly modifiedOn: string };

/**
 * How an entity differs from what the platform answered. Where ours is the later the entity does not differ: a webhook was faster than the
 * answer.
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

/** How an entity stands, that the platform does not know it, or that it does not say. */
export type Answer = PlatformState | 'gone' | 'unanswered';

/** @throws {PlatformError} when the platform fails, not only for this entity; the reason of the signal */
export type ReadPlatform = (key: Asked, stop: AbortSignal) => Promise<Answer>;

type ReadPlatformDeps = {
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
