import type { ApiClient } from '#cli/deployment/api-client.ts';
import { readList } from '#cli/deployment/read-list.ts';
import { onboardingListAnswer } from '#shared/api/onboarding-answers.ts';
import { openSteps } from '#shared/onboarding/onboarding-advice.ts';
import type { OnboardingStep } from '#shared/onboarding/onboarding-steps.ts';
import { concealLink } from './conceal-link.ts';

/** Which open onboardings. */
export type OpenFilter = {
  /** Every open step unless given. */
  readonly step?: OnboardingStep | undefined;
  /** Only those whose step is over its deadline. */
  readonly isStalled?: boolean;
};

/** Of each step. */
const maxOfStep = 1_000;

/** The open onboardings, the longest at their step first. @throws {CommandError} */
export async function listOpen(api: ApiClient, { step: only, isStalled = false }: OpenFilter) {
  const read = (step: OnboardingStep) =>
    readList(api, { path: '/onboardings', query: { step }, page: onboardingListAnswer, limit: maxOfStep });
  const lists = await Promise.all((only === undefined ? openSteps : [only]).map(read));
  return lists
    .flatMap(({ items }) => items)
    .filter(({ stalledOn }) => !isStalled || stalledOn !== undefined)
    .map(concealLink)
    .toSorted((one, other) => one.since.localeCompare(other.since));
}
