import { isErased, type OnboardingRow } from '#shared/onboarding-row.ts';
import { OnboardingContentionError, type OnboardingStore } from '#shared/onboarding-store.ts';

/** An onboarding as the store has it: none, live, or erased. */
export type LoadedOnboarding = Awaited<ReturnType<OnboardingStore['load']>>;

export type ClaimDeps = {
  readonly store: Pick<OnboardingStore, 'load' | 'save' | 'erase'>;
  readonly now: () => Date;
};

/** Tries to write the onboarding, which another process saves while it publishes the last step. */
export const maxClaimTries = 5;

/** The first and the last write of an erasure: both have the version that was read as their condition. */
export type ClaimOnboarding = {
  /**
   * Keeps every request and every retry from restarting the onboarding, from here on.
   *
   * @param read the onboarding as the erasure was decided by
   * @param isNeeded whether the onboarding knows ids that an erasure that is repeated needs: otherwise it is erased at once
   * @returns false where the onboarding has changed since it was read
   */
  readonly begin: (onboardingId: string, read: LoadedOnboarding, isNeeded: boolean) => Promise<boolean>;
  /**
   * Erases the onboarding.
   *
   * @returns false where the onboarding is live and has lost its mark: it was restarted
   * @throws {OnboardingContentionError} when others saved the onboarding each time
   */
  readonly end: (onboardingId: string) => Promise<boolean>;
};

export function createClaimOnboarding({ store, now }: ClaimDeps): ClaimOnboarding {
  async function mark(row: OnboardingRow): Promise<boolean> {
    if (row.erasingOn !== undefined) return true;
    return store.save({ ...row, version: row.version + 1, erasingOn: now().toISOString() });
  }

  return {
    begin: async (onboardingId, read, isNeeded) => {
      if (read !== undefined && isErased(read)) return true;
      return read !== undefined && isNeeded ? mark(read) : store.erase(onboardingId, read);
    },
    end: async (onboardingId) => {
      for (let tries = 0; tries < maxClaimTries; tries += 1) {
        const row = await store.load(onboardingId);
        if (row !== undefined && isErased(row)) return true;
        if (row !== undefined && row.erasingOn === undefined) return false;
        if (await store.erase(onboardingId, row)) return true;
      }
      throw contention();
    },
  };
}

export function contention(): OnboardingContentionError {
  return new OnboardingContentionError('Others were writing the onboarding each time: send the erasure again.');
}
