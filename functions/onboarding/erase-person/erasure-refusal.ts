import type { EntityKey } from '#shared/entities/entity-row.ts';
import type { HttpAnswer } from '#shared/lambda/http-api.ts';
import { problem } from '#shared/lambda/problem.ts';
import { idsOfOthers, onboardingOpen, personNotNamed, personUnknown } from '#shared/lambda/problem-types.ts';
import { isErased } from '#shared/onboarding/onboarding-row.ts';
import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { stepRow } from '#shared/onboarding/onboarding-steps.ts';
import type { LoadedOnboarding } from './claim-onboarding.ts';

/** The onboarding as it stands; undefined where there is none, or it is erased. */
export function stateOf(row: LoadedOnboarding): OnboardingState | undefined {
  return row === undefined || isErased(row) ? undefined : row.state;
}

/** The person whom a request asks to erase. */
export type ErasureSubject = {
  /** The entities of the person and of its verifications. */
  readonly keys: readonly EntityKey[];
  /** Whether an event of the person is stored. */
  readonly isStored: boolean;
};

/** Why the person of the path cannot be erased as its onboarding is; undefined where it can. */
export function refusalOf(row: LoadedOnboarding, { keys, isStored }: ErasureSubject): HttpAnswer | undefined {
  const onboarding = stateOf(row);
  if (row === undefined && keys.length === 0 && !isStored)
    return problem(personUnknown, 'Nothing is known of this externalId, and the request names no person.');
  const isKnown = keys.some(({ kind }) => kind === 'natural-person');
  if (onboarding !== undefined && stepRow(onboarding.step).final && !isKnown && mayHavePerson(onboarding))
    return problem(personNotNamed, mustBeNamed);
  return openRefusalOf(row);
}

/** Why an onboarding cannot be erased: it would create what was erased. */
export function openRefusalOf(row: LoadedOnboarding): HttpAnswer | undefined {
  const { step } = stateOf(row) ?? {};
  if (step === undefined || stepRow(step).final) return undefined;
  return problem(onboardingOpen, `The onboarding is ${step}.`);
}

/** What says that the ids of the request are of different persons. */
export type Others = { readonly onboardingIds: readonly string[]; readonly naturalPersonIds: readonly string[] };

/** Why ids of the request are not erased together; undefined where nothing says that they are of different persons. */
export function othersRefusal({ onboardingIds, naturalPersonIds }: Others): HttpAnswer | undefined {
  if (onboardingIds.length + naturalPersonIds.length === 0) return undefined;
  return problem(idsOfOthers, 'An onboarding or a stored event gives the ids of the request to others as well.', {
    extensions: { onboardingIds, naturalPersonIds },
  });
}

const mustBeNamed = 'The onboarding ended before Drawbridge knew the person, whom the platform may have.';

/** Whether a create was sent and its outcome is unknown, or the onboarding had a person before its restart. */
function mayHavePerson({ step, intentOn, mustSeek }: OnboardingState): boolean {
  return mustSeek || (intentOn !== undefined && step !== 'FAILED');
}
