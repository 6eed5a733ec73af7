import { isFinalStep, type OnboardingStep, onboardingStepWords } from './onboarding-steps.ts';

/** How urgent an onboarding is for an operator. */
export type OnboardingTone = 'good' | 'plain' | 'warn' | 'bad';

/** The steps where an onboarding is open. */
export const openSteps = onboardingStepWords.filter((step) => !isFinalStep(step));

/** The final steps from which an operator's retry continues. A test compares them with the state machine. */
const retriedEnds: readonly OnboardingStep[] = ['FAILED', 'SUSPENDED', 'BLOCKED'];

/** Whether an operator's retry can continue an onboarding at this step. */
export function canRetry(step: OnboardingStep): boolean {
  return !isFinalStep(step) || retriedEnds.includes(step);
}

/** @property stalledOn when the step was published as over its deadline */
export function toneOfOnboarding({
  step,
  stalledOn,
}: {
  readonly step: OnboardingStep;
  readonly stalledOn?: string | undefined;
}): OnboardingTone {
  if (step === 'COMPLETED') return 'good';
  if (step === 'STOPPED' || step === 'FAILED') return 'bad';
  if (isFinalStep(step)) return 'plain';
  return stalledOn === undefined ? 'plain' : 'warn';
}

const platformLate = 'Ask the support of the platform what it waits for. The onboarding continues by itself.';
const callLate =
  'The call has not succeeded for hours. Fix the cause, then retry. To read why: drawbridge logs failed-platform-calls';

const stalled: Readonly<Partial<Record<OnboardingStep, string>>> = {
  AWAITING_CHECKS: platformLate,
  AWAITING_IDENTIFICATION_URL: platformLate,
  AWAITING_ACTIVATION: platformLate,
  AWAITING_VIDEO_CALL:
    'Remind the person of the video call. If the person will not make it, cancel the onboarding. Otherwise it continues by itself.',
  AWAITING_REQUESTOR:
    'The platform refuses the requestor until it is ACTIVE. Set onboarding.requestor in the settings file to an ACTIVE person, deploy, and retry.',
};

/** What an operator does about an onboarding that is over the deadline of its step. */
export function stalledRemedy(step: OnboardingStep): string {
  return stalled[step] ?? callLate;
}
