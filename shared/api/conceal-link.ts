import type { OnboardingAnswer, OnboardingProgressAnswer } from './onboarding-answers.ts';

/** An onboarding without the link of its video call: the link lets anyone take the call in place of the person. */
export function concealLink({ identificationUrl, ...onboarding }: OnboardingAnswer): OnboardingProgressAnswer {
  return { ...onboarding, hasIdentificationUrl: identificationUrl !== undefined };
}
