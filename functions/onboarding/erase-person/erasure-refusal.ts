import type { EntityKey } from '#shared/entities/entity-row.ts';
import { type HttpAnswer, problem } from '#shared/lambda/handler.ts';
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
    return problem(404, 'There is no onboarding of this externalId: name the person by naturalPersonId as well.');
  if (onboarding === undefined) return undefined;
  if (!stepRow(onboarding.step).final) return problem(409, `Cancel the onboarding first: it is ${onboarding.step}.`);
  const isKnown = keys.some(({ kind }) => kind === 'natural-person');
  return !isKnown && mayHavePerson(onboarding) ? problem(409, mustBeNamed) : undefined;
}

const mustBeNamed =
  'The onboarding ended before it knew the person, whom the platform may have: name the person by naturalPersonId as well, or request the onboarding again with other data, and cancel it once it shows a naturalPersonId.';

/** Whether a create was sent and its outcome is unknown, or the onboarding had a person before its restart. */
function mayHavePerson({ step, intentOn, mustSeek }: OnboardingState): boolean {
  return mustSeek || (intentOn !== undefined && step !== 'FAILED');
}
