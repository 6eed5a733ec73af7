import { ConflictError, retryOnConflict } from '#shared/aws/retry-on-conflict.ts';
import { isErased } from '#shared/onboarding/onboarding-row.ts';
import type { OnboardingStore } from '#shared/onboarding/onboarding-store.ts';

/** An onboarding as the store has it: none, live, or erased. */
export type LoadedOnboarding = Awaited<ReturnType<OnboardingStore['load']>>;

export type ClaimDeps = {
  readonly store: Pick<OnboardingStore, 'load' | 'save' | 'erase'>;
  readonly now: () => Date;
};

/** More attempts than elsewhere: another process saves the onboarding while it publishes the last step. */
export const claimRetries = { maxAttempts: 5 } as const;

/** The first and the last write of an erasure: both have the version that was read as their condition. */
export type ClaimOnboarding = {
  /**
   * Keeps every request and every retry from restarting the onboarding, from here on, and has the erasure counted until its end.
   *
   * @param read the onboarding as the erasure was decided by
   * @param isNeeded whether the onboarding knows ids that an erasure that is repeated needs: otherwise it is erased immediately
   * @returns false where the onboarding has changed since it was read
   */
  readonly begin: (onboardingId: string, read: LoadedOnboarding, isNeeded: boolean) => Promise<boolean>;
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
    begin: async (onboardingId, read, isNeeded) => {
      const erasingOn = read?.erasingOn ?? now().toISOString();
      if (read === undefined || isErased(read) || !isNeeded) return store.erase(onboardingId, read, erasingOn);
      return store.save({ ...read, version: read.version + 1, erasingOn });
    },
    end: (onboardingId) =>
      retryOnConflict(claimRetries, async () => {
        const row = await store.load(onboardingId);
        if (row !== undefined && row.erasingOn === undefined) return isErased(row);
        if (!(await store.erase(onboardingId, row))) throw conflict();
        return true;
      }),
  };
}

export function conflict(): ConflictError {
  return new ConflictError('Other writers changed the onboarding: send the erasure again.');
}
