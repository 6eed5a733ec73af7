import { isErased } from '#shared/onboarding/onboarding-row.ts';
import { stepRow } from '#shared/onboarding/onboarding-steps.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import { readOnboardingOnce } from './onboardings.ts';
import type { BrokenPromise } from './promise.ts';

/** Promise 9: an onboarding that is not at its end, or not published, is due at some time. Otherwise only a message would move it. */
export function findNeverDue({ cloud, judged }: SimulatedSystem): BrokenPromise | undefined {
  const items = cloud.dynamodb.table('onboardings').all();
  judged(9, items.length);
  const isLost = items.some((item) => {
    const row = readOnboardingOnce(item);
    if (isErased(row) || item['dueOn'] !== undefined) return false;
    return !stepRow(row.state.step).final || row.outbox.length > 0;
  });
  return isLost ? { promise: 9, what: 'An onboarding waits, and is never due.' } : undefined;
}
