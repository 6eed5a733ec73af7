import { readDeployedSettings } from '#cli/deployment/deployed-settings.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { type OnboardingSettings, onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { OnboardingStep } from '#shared/onboarding/onboarding-steps.ts';

/** In seconds, by step: the time after which a step is published as stalled. */
export type Deadlines = OnboardingSettings['deadlines'];

/** The deadlines as they are deployed: the environment of Advance has them. @throws what Lambda answers with */
export async function readDeadlines(deployment: Pick<Deployment, 'clients' | 'resources'>): Promise<Deadlines> {
  return onboardingSettings.parse(await readDeployedSettings('ONBOARDING_SETTINGS', deployment)).deadlines;
}

/** When a step is over its deadline. ISO 8601, UTC; undefined if the step has no deadline. */
export function deadlineOn(
  { step, since }: { readonly step: OnboardingStep; readonly since: string },
  deadlines: Deadlines,
): string | undefined {
  const seconds = Object.entries(deadlines).find(([name]) => name === step)?.[1];
  return seconds === undefined ? undefined : new Date(Date.parse(since) + seconds * 1_000).toISOString();
}
