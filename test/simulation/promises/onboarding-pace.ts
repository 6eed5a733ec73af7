import { readOnboardingMessage } from '#shared/onboarding-message.ts';
import { isErased, readOnboarding } from '#shared/onboarding-row.ts';
import { stepRow } from '#shared/onboarding-steps.ts';
import type { World } from '#test/simulation/world/world.ts';
import { requested } from './onboardings.ts';
import type { Broken, FinalCheck } from './promise.ts';

/** Of one onboarding in a history. In 20 minutes of failures a back-off of 5 seconds that doubles has 9 attempts at each step. */
const maxAttempts = 40;

const isCreate = (operation: string) => operation.startsWith('POST /entities/');
const isWalk = (operation: string) => /^GET \/entities\/[a-z-]+$/.test(operation);

/** Promise 9: while faults last, no create and no walk over a list is repeated faster than an exponential back-off. */
export const checkPace: FinalCheck = (world) => {
  const limit = maxAttempts * requested(world).length;
  const [creates, walks] = [isCreate, isWalk].map((isCounted) => world.callsOfAdvance().filter(isCounted).length);
  if ((creates ?? 0) > limit) return { promise: 9, what: `${creates} creates went out, and ${limit} are the most.` };
  return (walks ?? 0) > limit ? { promise: 9, what: `${walks} walks began, and ${limit} are the most.` } : undefined;
};

/** In milliseconds: what is due later is left to reconcile. */
const longestWait = 3_600_000;

/** Promise 9: an onboarding that is due within the hour has a message in its queue that wakes it, or hands the wake on. */
export function findLostWake({ cloud, scheduler }: World): Broken | undefined {
  const messages = cloud.sqs.queue('onboarding').all();
  const woken = new Set(messages.map(({ body }) => readOnboardingMessage(body).onboardingId));
  const lost = cloud.dynamodb
    .table('onboardings')
    .all()
    .map(readOnboarding)
    .filter((row) => !isErased(row) && !stepRow(row.state.step).final && !woken.has(row.onboardingId))
    .some((row) => {
      if (isErased(row)) return false;
      const due = Date.parse(row.state.dueOn ?? '') - scheduler.now();
      return due > 0 && due < longestWait - 60_000;
    });
  return lost ? { promise: 9, what: 'An onboarding waits, and no message wakes it.' } : undefined;
}
