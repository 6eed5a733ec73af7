import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import {
  type EndingStatus,
  endingStatuses,
  type FinalStep,
  isFinalStep,
  type OnboardingStep,
} from '#shared/onboarding/onboarding-steps.ts';
import { capitalized, type VerificationMeaning } from '#shared/platform/profile/profile.ts';
import { accepts, type EndOfPerson, type Input, type InputType, waitsAfter } from './transitions.ts';

/** What a read of the platform showed. */
export type ReadResult =
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
      /** Present if the step reads the requestor. */
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
  readonly read: ReadResult;
  /** `late`: the deadline of the step has passed, and the stall is not published yet. `over`: the onboarding has expired. */
  readonly time: 'in time' | 'late' | 'over';
  /** Whether an earlier create can have no effect any more. */
  readonly isSettled: boolean;
  /** Whether the platform has failed this step for so long that the next failure stops the onboarding. */
  readonly isGivenUp: boolean;
  /** What a status of a verification means. */
  readonly meaningOf: (status: string) => VerificationMeaning;
};

/** The calls that an onboarding makes. None may be repeated before the platform was read: the call before may have succeeded. */
export type Call = 'create the person' | 'create the verification' | 'send the identification';

/** The reason of a verification that failed begins with this, and ends with its status. */
export const identificationFailed = 'IDENTIFICATION_';

/** What to do next. */
export type Action =
  /** The onboarding has ended. */
  | { readonly do: 'nothing' }
  /** Wait until the onboarding is due. @property retryAfter in milliseconds, if the platform asked for it */
  | { readonly do: 'wait'; readonly retryAfter?: number | undefined }
  | { readonly do: 'apply'; readonly input: Input }
  /** `firstInput` is applied and saved before anything is sent. */
  | { readonly do: 'call'; readonly call: Call; readonly firstInput: Input };

const wait: Action = { do: 'wait' };
const apply = (input: Input): Action => ({ do: 'apply', input });
const call = (what: Call, firstInput: InputType & `${string}Intended`): Action => ({
  do: 'call',
  call: what,
  firstInput: { type: firstInput },
});
const stop = (code: string): Action => apply({ type: 'Stopped', reason: { code } });

/** The next action for a state under these conditions. Every combination has one. */
export function decide(state: OnboardingState, conditions: Conditions): Action {
  const { step } = state;
  if (isFinalStep(step)) return { do: 'nothing' };
  const action =
    conditions.read.of === 'UNREAD' ? decideUnread(state, conditions.read) : decisions[step](state, conditions);
  if (action.do === 'apply' && !waitsAfter(step, action.input.type)) return action;
  if (conditions.time === 'over') return apply({ type: 'Expired' });
  // A repeated call was refused or had no effect before: the step is waiting, too.
  const isCallRepeated = action.do === 'call' && accepts(step, 'CallNotTaken');
  const isSearching = action.do === 'apply' && action.input.type === 'SearchContinued';
  if (action.do !== 'wait' && !isCallRepeated && !isSearching) return action;
  const failure = isCallRepeated ? state.failing?.why : readFailureOf(conditions.read);
  if (conditions.isGivenUp && failure !== undefined && accepts(step, 'Stopped')) return stop(failure);
  // Once the step has stalled, as in an outage, a person that is not listed does not appear any more.
  const isLate = conditions.time === 'late' || state.stalledOn !== undefined;
  if (isLate && step === 'FINDING_PERSON' && conditions.read.of === 'SEARCH_ENDED')
    return stop(conflictReason(state, conditions.read));
  return conditions.time === 'late' && accepts(step, 'Stalled') ? apply({ type: 'Stalled' }) : action;
}

/** Why the platform answers 409 although its list has no person with the externalId, as far as the answer shows. */
function conflictReason({ conflict, ...state }: OnboardingState, { hasNamesake }: SearchEnded): string {
  if (conflict === 'EXTERNAL_ID') return 'EXTERNAL_ID_TAKEN';
  const isKnown = conflict === 'PERSON' || state.hasNamesake === true || hasNamesake === true;
  return isKnown ? 'PERSON_HAS_ANOTHER_EXTERNAL_ID' : 'CONFLICT_UNEXPLAINED';
}

type SearchEnded = Extract<ReadResult, { of: 'SEARCH_ENDED' }>;

/** The platform could not be read: read it again later, unless that cannot succeed. */
function decideUnread(
  { step, requestorWasActive }: OnboardingState,
  { why, retryAfter }: Extract<ReadResult, { of: 'UNREAD' }>,
): Action {
  if (why === 'REQUESTOR_ID_INVALID' && accepts(step, 'Stopped')) return stop(why);
  if (why === 'VALIDATION_ERROR' && accepts(step, 'RequestorNotActive'))
    return requestorWasActive
      ? stop(why)
      : apply({ type: 'RequestorNotActive', reason: { code: 'REQUESTOR_NOT_ACTIVE' } });
  return { do: 'wait', retryAfter };
}

/**
 * Why a read is of no use, as a reason code: the platform could not be read, or no longer shows what it had. Undefined for any other
 * read.
 */
export function readFailureOf(read: ReadResult): string | undefined {
  if (read.of === 'PERSON_MISSING') return 'PERSON_NOT_FOUND';
  if (read.of === 'VERIFICATION_MISSING') return 'VERIFICATION_NOT_FOUND';
  if (read.of !== 'UNREAD') return undefined;
  // A read sends no data: the platform refuses the requestor (section 5).
  return read.why === 'VALIDATION_ERROR' ? 'REQUESTOR_NOT_ACTIVE' : read.why;
}

type Decision = (state: OnboardingState, conditions: Conditions) => Action;

const decisions: Readonly<Record<Exclude<OnboardingStep, FinalStep>, Decision>> = {
  // After a restart, the platform may have the person: a step that can search comes first.
  REQUESTED: ({ mustSeek }) =>
    mustSeek ? apply({ type: 'PersonSought' }) : call('create the person', 'CreationIntended'),
  // If the platform refuses a second person, no search is needed: a create that still runs does no harm.
  CREATING_PERSON: (_, { read, isSettled }) => {
    if (read.of === 'NOTHING' || (read.of === 'SEARCH_ENDED' && isSettled))
      return call('create the person', 'CreationIntended');
    // Until the create settles, the person may appear on a page that was read already: the search then starts again.
    return read.of === 'SEARCH_CONTINUES' && !isSettled ? wait : adoptPerson(read);
  },
  FINDING_PERSON: (_, { read }) => adoptPerson(read),
  AWAITING_CHECKS: ofPerson(continueAfterChecks),
  CREATING_VERIFICATION: (state, { read, isSettled }) => {
    if (read.of === 'PERSON') return endWith(state, read) ?? wait;
    if (read.of === 'VERIFICATION_FOUND') return apply({ ...read, type: 'VerificationAdopted' });
    // As for a person: a search that began before the create settled decides nothing.
    if (!isSettled) return wait;
    if (read.of === 'SEARCH_CONTINUES') return apply({ ...read, type: 'SearchContinued' });
    return read.of === 'SEARCH_ENDED' ? call('create the verification', 'VerificationIntended') : wait;
  },
  AWAITING_REQUESTOR: ofPerson(({ mode }, { requestorStatus }) => {
    if (requestorStatus !== 'ACTIVE') return wait;
    return apply({ type: mode === 'video' ? 'VerificationSought' : 'IdentificationSought' });
  }),
  AWAITING_IDENTIFICATION_URL: followVideoCall,
  AWAITING_VIDEO_CALL: followVideoCall,
  SENDING_IDENTIFICATION: ofPerson((_, { isIdentified }, { isSettled }) => {
    if (isIdentified) return apply({ type: 'IdentificationAccepted' });
    return isSettled ? call('send the identification', 'IdentificationIntended') : wait;
  }),
  // `ofPerson` completes the onboarding of a person that is ACTIVE.
  AWAITING_ACTIVATION: ofPerson(() => wait),
  STOPPED: () => wait,
};

function adoptPerson(read: ReadResult): Action {
  if (read.of === 'SEARCH_CONTINUES') return apply({ ...read, type: 'SearchContinued' });
  if (read.of !== 'PERSON_FOUND') return wait;
  const { naturalPersonId, differing } = read;
  if (differing.length === 0) return apply({ type: 'PersonAdopted', naturalPersonId });
  return apply({ type: 'PersonDiffers', reason: { code: 'EXTERNAL_ID_OF_ANOTHER_PERSON', fields: [...differing] } });
}

type PersonRead = Extract<ReadResult, { of: 'PERSON' }>;

/** The decision of a step that reads the person: some statuses end the onboarding at every step. */
function ofPerson(decide: (state: OnboardingState, read: PersonRead, conditions: Conditions) => Action): Decision {
  return (state, conditions) => {
    if (conditions.read.of !== 'PERSON') return wait;
    return endWith(state, conditions.read) ?? decide(state, conditions.read, conditions);
  };
}

/** The input for each status of a person that ends its onboarding. */
const endings: Readonly<Record<EndingStatus, { readonly type: EndOfPerson }>> = {
  SUSPENDED: { type: 'PersonSuspended' },
  BLOCKED: { type: 'PersonBlocked' },
  REJECTED: { type: 'PersonRejected' },
  INVALID: { type: 'PersonInvalid' },
  DECEASED: { type: 'PersonDeceased' },
};

/** An ACTIVE person needs nothing more: what the step waits for may never come, or may have a status that is not known. */
function endWith({ step, mode }: OnboardingState, { status, isIdentified, reasons }: PersonRead): Action | undefined {
  const ending = endingStatuses.find((one) => one === status);
  if (ending !== undefined) return apply({ ...endings[ending], ...(reasons && { codes: reasons }) });
  if (status !== 'ACTIVE') return undefined;
  const hasIdentification = mode === 'supplied' && isIdentified && accepts(step, 'IdentificationAccepted');
  return apply({ type: hasIdentification ? 'IdentificationAccepted' : 'PersonActivated' });
}

function continueAfterChecks({ mode, ...state }: OnboardingState, read: PersonRead, { isSettled }: Conditions): Action {
  if (!hasPassedChecks(read.status)) return wait;
  if (mode === 'none' || state.isIdentified) return apply({ type: 'ChecksPassed' });
  if (mode === 'supplied' && read.isIdentified) return apply({ type: 'IdentificationAccepted' });
  if (mode === 'video' && state.mustSeek) return apply({ type: 'VerificationSought' });
  if (!isSettled) return wait;
  return mode === 'video'
    ? call('create the verification', 'VerificationIntended')
    : call('send the identification', 'IdentificationIntended');
}

function followVideoCall(state: OnboardingState, { read, meaningOf }: Conditions): Action {
  if (read.of === 'PERSON') return endWith(state, read) ?? wait;
  if (read.of !== 'VERIFICATION') return wait;
  const { status, identificationUrl, isPersonActive, reasons } = read;
  const meaning = meaningOf(status ?? '');
  if (meaning === 'success') return apply({ type: 'IdentificationApproved' });
  const failure = status !== undefined &&
    meaning === 'failure' && {
      reason: { code: `${identificationFailed}${capitalized(status)}` },
      ...(reasons && { codes: reasons }),
    };
  if (isPersonActive) return apply({ type: 'PersonActivated', ...failure });
  if (failure) return apply({ type: 'IdentificationFailed', ...failure });
  if (state.step === 'AWAITING_VIDEO_CALL' || identificationUrl === undefined) return wait;
  return apply({ type: 'UrlAvailable', identificationUrl });
}
