import type { Deployment } from '#cli/deployment/deployment.ts';
import { readList } from '#cli/deployment/read-list.ts';
import { queueNames } from '#cli/deployment/resource-names.ts';
import { type QueueStatus, readQueues } from '#cli/dlq/read-queues.ts';
import { onboardingListAnswer } from '#shared/api/onboarding-answers.ts';
import { quarantineAnswer } from '#shared/api/query-answers.ts';
import { isFinalStep, type OnboardingStep, onboardingSteps } from '#shared/onboarding/onboarding-steps.ts';

/** Onboardings at a step. `more` where there are more than were counted. */
export type StepCount = { readonly step: OnboardingStep; readonly count: number; readonly more: boolean };

/** How Drawbridge is doing now: what `status` shows. */
export type Status = {
  readonly environment: string;
  readonly version: string | undefined;
  readonly queues: readonly QueueStatus[];
  /** Onboardings that have not ended, by step. Steps without one are left out. */
  readonly onboardings: readonly StepCount[];
  readonly quarantined: number;
};

/** Onboardings of a step that are counted one by one. */
const maxCounted = 1_000;

/** @throws {CommandError} */
export async function readStatus(deployment: Deployment): Promise<Status> {
  const { environment, outputs, api } = deployment;
  const openSteps = onboardingSteps.map(({ step }) => step).filter((step) => !isFinalStep(step));
  const [queues, onboardings, quarantine] = await Promise.all([
    readQueues(deployment, queueNames),
    Promise.all(openSteps.map((step) => countOnboardings(deployment, step))),
    api.send({ method: 'GET', path: '/quarantine' }, quarantineAnswer),
  ]);
  return {
    environment,
    version: outputs.get('Version'),
    queues,
    onboardings: onboardings.filter(({ count }) => count > 0),
    quarantined: quarantine.count,
  };
}

async function countOnboardings({ api }: Deployment, step: OnboardingStep): Promise<StepCount> {
  const { items, hasMore } = await readList(api, {
    path: '/onboardings',
    query: { step },
    page: onboardingListAnswer,
    limit: maxCounted,
  });
  return { step, count: items.length, more: hasMore };
}
