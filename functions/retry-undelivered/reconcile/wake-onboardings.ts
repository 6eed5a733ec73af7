import type { BatchQueue } from '#shared/aws/batch-queue.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import type { OnboardingFinder } from '#shared/onboarding/onboarding-finder.ts';
import { dueShard, formerDueShards } from '#shared/onboarding/onboarding-keys.ts';
import { writeOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import type { WaitingOnboardings } from './reconcile.ts';

export type WaitingOnboardingsDeps = {
  readonly finder: Pick<OnboardingFinder, 'listDue'>;
  /** The onboarding queue. */
  readonly queue: BatchQueue;
};

/** Of a shard, in one run: the next run wakes the next. */
const maxPerShard = 250;

const shardConcurrency = 4;

/**
 * Onboardings that are due by now: their wake was lost, or is too far off for a queue. What each observes, its
 * verification included, is its own: it is woken, and asks the platform itself.
 */
export function createWaitingOnboardings({ finder, queue }: WaitingOnboardingsDeps): WaitingOnboardings {
  return {
    listDue: async (by) => {
      const due = await mapConcurrent([dueShard, ...formerDueShards], shardConcurrency, (shard) =>
        finder.listDue(shard, { by, most: maxPerShard }).then((page) => page.onboardingIds),
      );
      return due.flat();
    },
    wake: (onboardingIds) => queue.sendAll(onboardingIds.map((id) => writeOnboardingMessage(id))),
  };
}
