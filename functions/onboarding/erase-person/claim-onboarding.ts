import { ConflictError, retryOnConflict } from '#shared/aws/retry-on-conflict.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import { isErased } from '#shared/onboarding/onboarding-row.ts';
import type { OnboardingStore } from '#shared/onboarding/onboarding-store.ts';

/** An onboarding as the store has it: none, live, or erased. */
export type LoadedOnboarding = Awaited<ReturnType<OnboardingStore['load']>>;

export type ClaimDeps = {
  readonly store: Pick<OnboardingStore, 'load' | 'save' | 'erase'>;
  readonly now: () => Date;
};

/** More attempts than elsewhere: another process saves the onboarding while it publishes the last step. */
const claimRetries = { maxAttempts: 5 } as const;

/** The first and the last write of an erasure: both have the version that was read as their condition. */
export type ClaimOnboarding = {
  /**
   * Keeps every request and every retry from restarting the onboarding, from here on; has `store` erase what arrives of its person; and has the
   * erasure counted until its end. Keeps what was found of the person, for a later call that goes on. Can be repeated.
   *
   * @param refusalOf why the onboarding cannot be erased as it is now: then nothing is written, and this is returned
   */
  readonly mark: <Refusal>(
    onboardingId: string,
    keys: readonly EntityKey[],
    refusalOf: (row: LoadedOnboarding) => Refusal | undefined,
  ) => Promise<Refusal | undefined>;
  /**
   * Erases the onboarding.
   *
   * @returns false where the onboarding is live and has lost its mark: it was restarted
   * @throws {ConflictError} when other writers changed the onboarding before each attempt
   */
  readonly end: (onboardingId: string) => Promise<boolean>;
};

export function createClaimOnboarding({ store, now }: ClaimDeps): ClaimOnboarding {
  return {
    mark: (onboardingId, keys, refusalOf) =>
      retryOnConflict(claimRetries, async () => {
        const row = await store.load(onboardingId);
        const refusal = refusalOf(row);
        if (refusal !== undefined) return refusal;
        const erasing = { erasingOn: row?.erasingOn ?? now().toISOString(), erasingKeys: keys };
        const isMarked =
          row === undefined || isErased(row)
            ? await store.erase(onboardingId, row, erasing)
            : await store.save({ ...row, version: row.version + 1, ...erasing });
        if (!isMarked) throw conflict();
        return undefined;
      }),
    end: (onboardingId) =>
      retryOnConflict(claimRetries, async () => {
        const row = await store.load(onboardingId);
        if (row !== undefined && row.erasingOn === undefined) return isErased(row);
        if (!(await store.erase(onboardingId, row))) throw conflict();
        return true;
      }),
  };
}

function conflict(): ConflictError {
  return new ConflictError('Other writers changed the onboarding: send the erasure again.');
}
