import { type ListDeps, type ListPage, type Position, readList } from '#shared/aws/list/read-list.ts';
import { listLanesOf, onboardingKeys, stalledLanesOf } from './onboarding-keys.ts';
import { type ListedOnboarding, readListedOnboarding } from './onboarding-row.ts';
import { type OnboardingStep, onboardingStepWords } from './onboarding-steps.ts';

/** Which onboardings: those for which all that is given holds. Times are ISO 8601, UTC, with milliseconds, inclusive. */
export type OnboardingFilter = {
  readonly step?: OnboardingStep | undefined;
  readonly updatedFrom?: string | undefined;
  readonly updatedTo?: string | undefined;
  /** Only those that are at their step for longer than its deadline. */
  readonly isStalled?: true;
};

export type OnboardingPageRequest = {
  readonly filter: OnboardingFilter;
  readonly limit: number;
  readonly after: Position | undefined;
};

/** Lists onboardings that are neither erased nor being erased, the latest changed first. @throws `OnboardingRowError` for a row that is not ours */
export type ListOnboardings = (request: OnboardingPageRequest) => Promise<ListPage<ListedOnboarding>>;

export type OnboardingListDeps = ListDeps & { readonly now: () => Date };

export function createListOnboardings({ now, ...deps }: OnboardingListDeps): ListOnboardings {
  const { listed, partition } = onboardingKeys;
  const index = { ...listed, id: partition };
  return ({ filter: { step, updatedFrom, updatedTo, isStalled }, limit, after }) => {
    const seconds = now().getTime() / 1_000;
    const steps = step === undefined ? onboardingStepWords : [step];
    return readList(deps, index, {
      lanes: isStalled ? stalledLanesOf(steps) : listLanesOf(steps),
      readRow: readListedOnboarding,
      // TTL deletes days late: an expired row counts as absent.
      isWanted: ({ expiresAt }) => expiresAt > seconds,
      from: updatedFrom,
      to: updatedTo,
      after,
      limit,
    });
  };
}
