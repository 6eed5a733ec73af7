import type { EntityKey } from '#shared/entities/entity-row.ts';
import type { HttpAnswer } from '#shared/lambda/http-answer.ts';
import { problem } from '#shared/lambda/problem.ts';
import { onboardingOpen, personNotNamed, personUnknown } from '#shared/lambda/problem-types.ts';
import { isErased } from '#shared/onboarding/onboarding-row.ts';
import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { stepRow } from '#shared/onboarding/onboarding-steps.ts';
import type { LoadedOnboarding } from './claim-onboarding.ts';

/** The onboarding as it stands; undefined where there is none, or it is erased. */
export function stateOf(row: LoadedOnboarding): OnboardingState | undefined {
  return row === undefined || isErased(row) ? undefined : row.state;
}

/** Why the person cannot be erased as the onboarding is; undefined where it can. */
export function refusalOf(row: LoadedOnboarding, keys: readonly EntityKey[]): HttpAnswer | undefined {
  const onboarding = stateOf(row);
  if (row === undefined && keys.length === 0)
    return problem(personUnknown, 'There is no onboarding of this externalId, and the request names no person.');
  if (onboarding === undefined) return undefined;
  if (!stepRow(onboarding.step).final) return problem(onboardingOpen, `The onboarding is ${onboarding.step}.`);
  const isKnown = keys.some(({ kind }) => kind === 'natural-person');
  return !isKnown && mayHavePerson(onboarding) ? problem(personNotNamed, mustBeNamed) : undefined;
}

const mustBeNamed = 'The onboarding ended before Drawbridge knew the person, whom the platform may have.';

/** Whether a create was sent and its outcome is unknown, or the onboarding had a person before its restart. */
function mayHavePerson({ step, intentOn, mustSeek }: OnboardingState): boolean {
  return mustSeek || (intentOn !== undefined && step !== 'FAILED');
}
