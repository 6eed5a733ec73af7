import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { stepRow } from '#shared/onboarding/onboarding-steps.ts';

/** What a message of the onboarding queue does, given what the onboarding waits for. */
export type Wake =
  | { readonly does: 'advance' }
  /** Another message wakes the onboarding in time. */
  | { readonly does: 'nothing' }
  /** The message is sent again. @property isOwn whether it is the wake that the onboarding has asked for */
  | { readonly does: 'comes later'; readonly at: string; readonly isOwn: boolean };

const advanceNow: Wake = { does: 'advance' };
const nothing: Wake = { does: 'nothing' };

/**
 * Whether a message wakes the onboarding now. The wake that an onboarding asks for itself comes several times, since SQS
 * delays a message by 15 minutes at most. A message from elsewhere, as for a webhook, wakes it immediately; but where the
 * platform fails it, one such message in each back-off does, and at a costly step none.
 *
 * @param dueOn of a message that the onboarding has sent itself
 */
export function wakeOf(state: OnboardingState, dueOn: string | undefined, now: Date): Wake {
  if (stepRow(state.step).final) return advanceNow;
  const later = dueLater(state, now);
  if (dueOn !== undefined && later !== undefined)
    return dueOn === later.dueOn ? { does: 'comes later', at: dueOn, isOwn: true } : nothing;
  const { quietUntil, failing, step } = state;
  if (quietUntil === undefined || Date.parse(quietUntil) <= now.getTime()) return advanceNow;
  // A run is at work, and may die: then nothing else would wake the onboarding.
  if (later === undefined) return { does: 'comes later', at: quietUntil, isOwn: false };
  const mayComeEarly = failing !== undefined && !failing.isEarlyUsed && !stepRow(step).isCostly;
  return mayComeEarly ? advanceNow : nothing;
}

/** The onboarding, where it is due later than now. */
export function dueLater(
  state: OnboardingState,
  now: Date,
): (OnboardingState & { readonly dueOn: string }) | undefined {
  const { dueOn } = state;
  return dueOn !== undefined && Date.parse(dueOn) > now.getTime() ? { ...state, dueOn } : undefined;
}
