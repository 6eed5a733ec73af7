import type { OnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { stepRow } from '#shared/onboarding/onboarding-steps.ts';

/**
 * Whether a message makes the onboarding advance. The message of a lease does until the row has changed: after that, another message
 * is for it. A message from elsewhere, as for a webhook, does unless the onboarding is paced.
 *
 * A message that does not is acknowledged. Nothing is lost: the waker sends the onboarding when it is due.
 */
export function isForAdvance({ lease }: OnboardingMessage, state: OnboardingState, now: Date): boolean {
  // Its events may not be published yet.
  if (stepRow(state.step).final) return true;
  if (lease !== undefined) return lease === state.dueOn;
  return state.isPaced !== true || !isDueLater(state, now);
}

/** Whether the onboarding is due later than now. */
export function isDueLater({ dueOn }: OnboardingState, now: Date): boolean {
  return dueOn !== undefined && Date.parse(dueOn) > now.getTime();
}
