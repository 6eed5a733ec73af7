import type { OnboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { ConflictSubject, OnboardingReason, OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import type { EndingStatus } from '#shared/onboarding/onboarding-steps.ts';
import type { VerificationMeaning } from '#shared/platform/profile/profile.ts';
import type { OnboardingEventType } from './onboarding-event-type.ts';

type WithPerson = 'PersonCreated' | 'PersonAdopted';
type WithVerification = 'VerificationCreated' | 'VerificationAdopted';
type WithReason = 'PersonDiffers' | 'CallRefused' | 'IdentificationFailed' | 'Stopped' | 'RequestorNotActive';
type EndOfPerson = `Person${'Suspended' | 'Blocked' | 'Rejected' | 'Invalid' | 'Deceased'}`;

/** Something that has happened in an onboarding. */
export type Occurrence =
  | { readonly type: WithPerson; readonly naturalPersonId: string }
  | { readonly type: WithVerification; readonly identificationVerificationId: string }
  | { readonly type: 'UrlAvailable'; readonly identificationUrl: string }
  | { readonly type: 'SearchContinued'; readonly cursor: string; readonly hasNamesake?: boolean | undefined }
  | { readonly type: 'ConflictMet'; readonly conflict?: ConflictSubject | undefined }
  | {
      readonly type: WithReason;
      readonly reason: OnboardingReason;
      /** The platform's codes of why. */
      readonly codes?: readonly string[] | undefined;
    }
  | { readonly type: EndOfPerson; readonly codes?: readonly string[] | undefined }
  | {
      readonly type: 'PersonActivated';
      /** Why its identification has failed, if it has. */
      readonly reason?: OnboardingReason;
      readonly codes?: readonly string[] | undefined;
    }
  | {
      readonly type: Exclude<
        OnboardingEventType,
        | WithPerson
        | WithVerification
        | WithReason
        | EndOfPerson
        | 'PersonActivated'
        | 'UrlAvailable'
        | 'SearchContinued'
        | 'ConflictMet'
      >;
    };

/** What has happened when a person has come to a status that ends its onboarding. */
export const endings: Readonly<Record<EndingStatus, { readonly type: EndOfPerson }>> = {
  SUSPENDED: { type: 'PersonSuspended' },
  BLOCKED: { type: 'PersonBlocked' },
  REJECTED: { type: 'PersonRejected' },
  INVALID: { type: 'PersonInvalid' },
  DECEASED: { type: 'PersonDeceased' },
};

/** What the platform showed at the last observation. */
export type Observation =
  /** There is nothing to observe: the step needs nothing, or a create was not accepted. */
  | { readonly of: 'NOTHING' }
  /** The platform did not say. `why` is a condition of section 7, or the kind of failure. */
  | { readonly of: 'UNREAD'; readonly why: string; readonly retryAfter?: number | undefined }
  /**
   * The list is read to its end, and what was looked for is not there. `hasNamesake`: a person of another externalId is,
   * with the very names and birthday.
   */
  | { readonly of: 'SEARCH_ENDED'; readonly hasNamesake?: boolean | undefined }
  | { readonly of: 'SEARCH_CONTINUES'; readonly cursor: string; readonly hasNamesake?: boolean | undefined }
  /** A person of the externalId, and the fields in which it differs from the one that was requested. */
  | { readonly of: 'PERSON_FOUND'; readonly naturalPersonId: string; readonly differing: readonly string[] }
  | {
      readonly of: 'PERSON';
      readonly status: string | undefined;
      /** Whether there is a status, which is no word. */
      readonly isStatusUnreadable?: boolean;
      /** Whether the platform has the identification that the partner supplies. */
      readonly isIdentified: boolean;
      /** The platform's codes of why, of a status that ends the onboarding. */
      readonly reasons?: readonly string[];
      /** Present when the step observes the requestor. */
      readonly requestorStatus?: string | undefined;
    }
  | { readonly of: 'PERSON_MISSING' }
  /** A verification of the person that runs, or is APPROVED. */
  | { readonly of: 'VERIFICATION_FOUND'; readonly identificationVerificationId: string }
  | {
      readonly of: 'VERIFICATION';
      readonly status: string | undefined;
      /** Whether there is a status, which is no word. */
      readonly isStatusUnreadable?: boolean;
      readonly identificationUrl: string | undefined;
      /** The platform's codes of why, of a failure. */
      readonly reasons?: readonly string[];
      /** Whether the platform has made the person ACTIVE, regardless of the verification. */
      readonly isPersonActive?: boolean;
    }
  | { readonly of: 'VERIFICATION_MISSING' };

/** Whether a person of this status has passed its checks, and can be identified. */
export function hasPassedChecks(status: string | undefined): boolean {
  return status === 'CREATED' || status === 'PENDING';
}

/** What an onboarding is decided by, besides its state. */
export type Facts = {
  readonly observation: Observation;
  /** `late`: the step takes too long, and it was not said yet. `over`: the onboarding's whole time has passed. */
  readonly time: 'in time' | 'late' | 'over';
  /** Whether a create that was begun before can have no effect any more. */
  readonly isSettled: boolean;
  /** Whether the platform has failed this step for so long that the onboarding stops at the next failure. */
  readonly isGivenUp: boolean;
  /** What a status of a verification means. */
  readonly meaningOf: (status: string) => VerificationMeaning;
};

const secondsPerHour = 3_600;
const secondsPerDay = 86_400;

/** What time decides. */
export function factsOf(
  state: OnboardingState,
  settings: OnboardingSettings,
  now: Date,
): Pick<Facts, 'time' | 'isSettled' | 'isGivenUp'> {
  const settledOn = settledAt(state, settings);
  return {
    time: timeOf(state, settings, now),
    isSettled: settledOn === undefined || settledOn <= now.getTime(),
    isGivenUp: now.getTime() >= givenUpAt(state, settings),
  };
}

function timeOf(state: OnboardingState, settings: OnboardingSettings, now: Date): Facts['time'] {
  if (now.getTime() >= overAt(state, settings)) return 'over';
  const deadline = deadlineOf(state, settings);
  return deadline !== undefined && now.getTime() >= deadline ? 'late' : 'in time';
}

/** When its whole time has passed. In milliseconds since 1970, as all that follow. */
export function overAt({ openSince }: OnboardingState, { openDays }: OnboardingSettings): number {
  return Date.parse(openSince) + openDays * secondsPerDay * 1_000;
}

/** When the record of it may go: in seconds since 1970, as DynamoDB wants it. */
export function expiresAt(state: OnboardingState, settings: OnboardingSettings): number {
  return Math.floor(overAt(state, settings) / 1_000) + settings.retentionDays * secondsPerDay;
}

/** When it stalls; undefined where it has, or where the step may take its time. */
export function deadlineOf(state: OnboardingState, settings: OnboardingSettings): number | undefined {
  return state.stalledOn === undefined ? endOfTime(state, settings) : undefined;
}

/** When the time of the step is over; undefined where it has no deadline. */
function endOfTime({ step, since }: OnboardingState, { deadlines }: OnboardingSettings): number | undefined {
  const seconds = Object.entries(deadlines).find(([name]) => name === step)?.[1];
  return seconds === undefined ? undefined : Date.parse(since) + seconds * 1_000;
}

/** When a step that the platform fails is given up: not before its deadline. Infinity where the platform does not fail it. */
function givenUpAt(state: OnboardingState, settings: OnboardingSettings): number {
  if (state.failing === undefined) return Number.POSITIVE_INFINITY;
  const failingTime = settings.stopAfterHours * secondsPerHour * 1_000;
  return Math.max(Date.parse(state.failing.since) + failingTime, endOfTime(state, settings) ?? 0);
}

/** When the create that was begun can have no effect any more; undefined where none was. */
export function settledAt({ intentOn, naturalPersonId }: OnboardingState, { settle }: OnboardingSettings) {
  if (intentOn === undefined) return undefined;
  const seconds = naturalPersonId === undefined ? settle.person : settle.identification;
  return Date.parse(intentOn) + seconds * 1_000;
}
