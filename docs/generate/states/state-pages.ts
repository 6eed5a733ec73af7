import { writeOnboardingSteps } from './write-onboarding-steps.ts';
import { writeStates } from './write-states.ts';

/** Each committed page that is written from the tables of a state machine, by its path from the root of the repository. */
export const statePages: Readonly<Record<string, () => string>> = {
  'docs/reference/onboarding-steps.md': writeOnboardingSteps,
  'docs/reference/states.md': writeStates,
};
