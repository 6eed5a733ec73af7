import type { OnboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import type { VerificationMeaning } from '#shared/platform/profile/profile.ts';

/** What a read of the platform showed. */
export type Observation =
  /** Nothing was read: the step needs nothing, or a create was not accepted. */
  | { readonly of: 'NOTHING' }
  /** The read failed. `why` is a condition of section 7, or the kind of failure. */
  | { readonly of: 'UNREAD'; readonly why: string; readonly retryAfter?: number | undefined }
  /** The list was read to its end without a match. `hasNamesake`: it has a person with the same names and birthday, but another externalId. */
  | { readonly of: 'SEARCH_ENDED'; readonly hasNamesake?: boolean | undefined }
  | { readonly of: 'SEARCH_CONTINUES'; readonly cursor: string; readonly hasNamesake?: boolean | undefined }
  /** A person with the externalId, and the fields in which the person differs from the request. */
  | { readonly of: 'PERSON_FOUND'; readonly naturalPersonId: string; readonly differing: readonly string[] }
  | {
      readonly of: 'PERSON';
      readonly status: string | undefined;
      /** Whether there is a status that is not a word. */
      readonly isStatusUnreadable?: boolean;
      /** Whether the platform has the identification that the partner supplies. */
      readonly isIdentified: boolean;
      /** The platform's reason codes, if the status ends the onboarding. */
      readonly reasons?: readonly string[];
      /** Present if the step observes the requestor. */
      readonly requestorStatus?: string | undefined;
    }
  | { readonly of: 'PERSON_MISSING' }
  /** A verification of the person that has not failed. */
  | { readonly of: 'VERIFICATION_FOUND'; readonly identificationVerificationId: string }
  | {
      readonly of: 'VERIFICATION';
      readonly status: string | undefined;
      /** Whether there is a status that is not a word. */
      readonly isStatusUnreadable?: boolean;
      readonly identificationUrl: string | undefined;
      /** The platform's reason codes, if the verification failed. */
      readonly reasons?: readonly string[];
      /** Whether the person is ACTIVE, with any status of the verification. */
      readonly isPersonActive?: boolean;
    }
  | { readonly of: 'VERIFICATION_MISSING' };

/** Whether a person with this status has passed the checks, and can be identified. */
export function hasPassedChecks(status: string | undefined): boolean {
  return status === 'CREATED' || status === 'PENDING';
}

/** What a decision depends on, besides the state. */
export type Conditions = {
  readonly observation: Observation;
  /** `late`: the deadline of the step has passed, and the stall is not published yet. `over`: the onboarding has expired. */
  readonly time: 'in time' | 'late' | 'over';
  /** Whether an earlier create can have no effect any more. */
  readonly isSettled: boolean;
  /** Whether the platform has failed this step for so long that the next failure stops the onboarding. */
  readonly isGivenUp: boolean;
  /** What a status of a verification means. */
  readonly meaningOf: (status: string) => VerificationMeaning;
};

const secondsPerHour = 3_600;
const secondsPerDay = 86_400;

/** The conditions that depend on the time. */
export function timeConditions(
  state: OnboardingState,
  settings: OnboardingSettings,
  now: Date,
): Pick<Conditions, 'time' | 'isSettled' | 'isGivenUp'> {
  const settledOn = settledAt(state, settings);
  return {
    time: timeStatus(state, settings, now),
    isSettled: settledOn === undefined || settledOn <= now.getTime(),
    isGivenUp: now.getTime() >= givenUpAt(state, settings),
  };
}

function timeStatus(state: OnboardingState, settings: OnboardingSettings, now: Date): Conditions['time'] {
  if (now.getTime() >= expiryTime(state, settings)) return 'over';
  const deadline = deadlineOf(state, settings);
  return deadline !== undefined && now.getTime() >= deadline ? 'late' : 'in time';
}

/** When an open onboarding expires. In milliseconds since 1970, as all that follow. */
export function expiryTime({ openSince }: OnboardingState, { openDays }: OnboardingSettings): number {
  return Date.parse(openSince) + openDays * secondsPerDay * 1_000;
}

/** When DynamoDB may delete the row: in seconds since 1970. */
export function expiresAt(state: OnboardingState, settings: OnboardingSettings): number {
  return Math.floor(expiryTime(state, settings) / 1_000) + settings.retentionDays * secondsPerDay;
}

/** When the step stalls; undefined if it has stalled already, or has no deadline. */
export function deadlineOf(state: OnboardingState, settings: OnboardingSettings): number | undefined {
  return state.stalledOn === undefined ? stepDeadline(state, settings) : undefined;
}

/** When the deadline of the step passes; undefined if the step has no deadline. */
function stepDeadline({ step, since }: OnboardingState, { deadlines }: OnboardingSettings): number | undefined {
  const seconds = Object.entries(deadlines).find(([name]) => name === step)?.[1];
  return seconds === undefined ? undefined : Date.parse(since) + seconds * 1_000;
}

/** When to give up a step that the platform fails: not before its deadline. Infinity if the platform does not fail the step. */
function givenUpAt(state: OnboardingState, settings: OnboardingSettings): number {
  if (state.failing === undefined) return Number.POSITIVE_INFINITY;
  const failingMs = settings.stopAfterHours * secondsPerHour * 1_000;
  return Math.max(Date.parse(state.failing.since) + failingMs, stepDeadline(state, settings) ?? 0);
}

/** When the latest create can have no effect any more; undefined if there is none. */
export function settledAt({ intentOn, naturalPersonId }: OnboardingState, { settle }: OnboardingSettings) {
  if (intentOn === undefined) return undefined;
  const seconds = naturalPersonId === undefined ? settle.person : settle.identification;
  return Date.parse(intentOn) + seconds * 1_000;
}
