import type { ApiClient } from '#cli/deployment/api-client.ts';
import { type ReadList, readOnboardings } from '#cli/deployment/api-reads.ts';
import type { OnboardingListAnswer } from '#shared/api/onboarding-answers.ts';
import { openSteps } from '#shared/onboarding/onboarding-advice.ts';
import type { OnboardingStep } from '#shared/onboarding/onboarding-steps.ts';

/** Which open onboardings. */
export type OpenFilter = {
  /** Every open step unless given. */
  readonly step?: OnboardingStep | undefined;
  /** Only those that are over the deadline of their step. */
  readonly isStalled?: boolean;
};

/** Of each step. */
const maxOfStep = 1_000;

/** For a list that has more. */
export const moreAtStep = `A step has more than ${maxOfStep.toLocaleString('en-US')} onboardings. Repeat this afterwards for the others.`;

/**
 * The open onboardings, the longest at their step first, and whether a step has more than are listed. Of those over their
 * deadline all are listed.
 *
 * @throws {CommandError}
 */
export async function listOpen(
  api: ApiClient,
  { step: only, isStalled = false }: OpenFilter,
): Promise<ReadList<OnboardingListAnswer['items'][number]>> {
  // The API has no filter for the deadline: a list that ended earlier could miss the latest ones.
  const limit = isStalled ? Number.POSITIVE_INFINITY : maxOfStep;
  const steps = only === undefined ? openSteps : [only];
  const lists = await Promise.all(steps.map((step) => readOnboardings(api, { step }, limit)));
  const items = lists
    .flatMap(({ items }) => items)
    .filter(({ stalledOn }) => !isStalled || stalledOn !== undefined)
    .toSorted((one, other) => one.since.localeCompare(other.since));
  return { items, hasMore: lists.some(({ hasMore }) => hasMore) };
}
