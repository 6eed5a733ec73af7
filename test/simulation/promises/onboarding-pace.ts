import { readOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import { isErased } from '#shared/onboarding/onboarding-row.ts';
import { stepRow } from '#shared/onboarding/onboarding-steps.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import { apartOf } from '#test/simulation/system/skew.ts';
import { readOnboardingOnce } from './onboardings.ts';
import type { BrokenPromise } from './promise.ts';

/** In milliseconds: onboardings that are due later are left to reconcile. */
const maxWaitMs = 3_600_000;

/** Promise 9: an onboarding that is due within the hour has a queue message that wakes it or reschedules the wake. */
export function findLostWake({ cloud, scheduler, faults, judged }: SimulatedSystem): BrokenPromise | undefined {
  judged(9, cloud.dynamodb.table('onboardings').all().length);
  const messages = cloud.sqs.queue('onboarding').all();
  const woken = new Set(messages.map(({ body }) => readOnboardingMessage(body).onboardingId));
  const lost = cloud.dynamodb
    .table('onboardings')
    .all()
    .map(readOnboardingOnce)
    .filter((row) => !isErased(row) && !stepRow(row.state.step).final && !woken.has(row.onboardingId))
    .some((row) => {
      if (isErased(row)) return false;
      const due = Date.parse(row.state.dueOn ?? '') - scheduler.now();
      // With a clock that is ahead, an unanswered request is due after now.
      return due > apartOf(faults) && due < maxWaitMs - 60_000;
    });
  return lost ? { promise: 9, what: 'An onboarding waits without a message that wakes it.' } : undefined;
}
