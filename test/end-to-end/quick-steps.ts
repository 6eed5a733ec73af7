/** In seconds. By default the platform takes a second for each of its steps, which a test would only wait for. */
export const quickStep = 0.05;

/** The settings of a platform that takes quick steps. */
export const quickSteps = {
  checksAfter: quickStep,
  updatesAfter: quickStep,
  identificationsAfter: quickStep,
  activationsAfter: quickStep,
  identificationUrlAfter: quickStep,
} as const;
