import type { BatchQueue } from '#shared/batch-queue.ts';
import type { OnboardingFinder } from '#shared/onboarding-finder.ts';
import { dueShards } from '#shared/onboarding-keys.ts';
import { writeOnboardingMessage } from '#shared/onboarding-message.ts';
import { sideBySide } from '#shared/side-by-side.ts';
import type { WaitingOnboardings } from './reconcile.ts';

export type WaitingOnboardingsDeps = {
  readonly finder: Pick<OnboardingFinder, 'listDue'>;
  /** The onboarding queue. */
  readonly queue: BatchQueue;
};

/** Of a shard, in one run: the next run wakes the next. */
const mostOfAShard = 250;

const shardsAtOnce = 4;

/**
 * Onboardings that were to be looked at by now: their wake was lost, or is too far off for a queue. What each looks at, its
 * verification included, is its own: it is woken, and asks the platform itself.
 */
export function createWaitingOnboardings({ finder, queue }: WaitingOnboardingsDeps): WaitingOnboardings {
  return {
    listDue: async (by) => {
      const due = await sideBySide(dueShards, shardsAtOnce, (shard) => finder.listDue(shard, by, mostOfAShard));
      return due.flat();
    },
    wake: (onboardingIds) => queue.sendAll(onboardingIds.map((id) => writeOnboardingMessage(id))),
  };
}
