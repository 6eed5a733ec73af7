import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import {
  endingStatuses,
  type FinalStep,
  isFinalStep,
  type OnboardingStep,
} from '#shared/onboarding/onboarding-steps.ts';
import { capitalized } from '#shared/platform/profile/profile.ts';
import { endings, type Facts, hasPassedChecks, type Observation, type Occurrence } from './observation.ts';
import type { OnboardingEventType } from './onboarding-event-type.ts';
import { canHappen, waitsAfter } from './transitions.ts';

/** The calls that an onboarding makes: none of them can be repeated without looking. */
export type Call = 'create the person' | 'create the verification' | 'send the identification';

/** The reason of a verification that failed begins with this, and ends with its status. */
export const identificationFailed = 'IDENTIFICATION_';

/** What is to be done next. */
export type Command =
  /** It has ended. */
  | { readonly do: 'nothing' }
  /** Until it is woken. @property retryAfter in milliseconds, where the platform said so */
  | { readonly do: 'wait'; readonly retryAfter?: number | undefined }
  | { readonly do: 'note'; readonly occurrence: Occurrence }
  /** `intent` is noted before anything is sent. */
  | { readonly do: 'call'; readonly call: Call; readonly intent: Occurrence };

const wait: Command = { do: 'wait' };
const note = (occurrence: Occurrence): Command => ({ do: 'note', occurrence });
const call = (what: Call, intent: OnboardingEventType & `${string}Intended`): Command => ({
  do: 'call',
  call: what,
  intent: { type: intent },
});
const stop = (code: string): Command => note({ type: 'Stopped', reason: { code } });

/** The next command, from the state of the onboarding and what is known. Every state and every fact has a decision. */
export function decide(state: OnboardingState, facts: Facts): Command {
  const { step } = state;
  if (isFinalStep(step)) return { do: 'nothing' };
  const command =
    facts.observation.of === 'UNREAD' ? decideUnread(state, facts.observation) : decisions[step](state, facts);
  if (command.do === 'note' && !waitsAfter(step, command.occurrence.type)) return command;
  if (facts.time === 'over') return note({ type: 'Expired' });
  // A call that is made again was not taken, or came to nothing: that is waiting, too.
  const isCallRepeated = command.do === 'call' && canHappen(step, 'CallNotTaken');
  if (command.do !== 'wait' && !isCallRepeated) return command;
  const failure = isCallRepeated ? state.failing?.why : unreadWhy(facts.observation);
  if (facts.isGivenUp && failure !== undefined && canHappen(step, 'Stopped')) return stop(failure);
  return facts.time === 'late' ? giveUpWaiting(state, facts.observation) : command;
}

/** The step has taken too long: some waits cannot succeed and stop, all others are published as stalled. */
function giveUpWaiting(state: OnboardingState, observation: Observation): Command {
  const { step } = state;
  if (step === 'FINDING_PERSON' && observation.of === 'SEARCH_ENDED') return stop(conflictReason(state, observation));
  if (observation.of === 'PERSON_MISSING' && canHappen(step, 'Stopped')) return stop('PERSON_NOT_FOUND');
  return canHappen(step, 'Stalled') ? note({ type: 'Stalled' }) : wait;
}

/** Why the platform answers 409 although the list has no person of the externalId, as far as the answer tells. */
function conflictReason({ conflict, ...state }: OnboardingState, { hasNamesake }: SearchEnded): string {
  if (conflict === 'EXTERNAL_ID') return 'EXTERNAL_ID_TAKEN';
  const isKnown = conflict === 'PERSON' || state.hasNamesake === true || hasNamesake === true;
  return isKnown ? 'PERSON_HAS_ANOTHER_EXTERNAL_ID' : 'CONFLICT_UNEXPLAINED';
}

type SearchEnded = Extract<Observation, { of: 'SEARCH_ENDED' }>;

/** The platform did not answer: it is asked again later, unless that cannot succeed. */
function decideUnread(
  { step, requestorWasActive }: OnboardingState,
  { why, retryAfter }: Extract<Observation, { of: 'UNREAD' }>,
): Command {
  if (why === 'REQUESTOR_ID_INVALID' && canHappen(step, 'Stopped')) return stop(why);
  if (why === 'VALIDATION_ERROR' && canHappen(step, 'RequestorNotActive'))
    return requestorWasActive
      ? stop(why)
      : note({ type: 'RequestorNotActive', reason: { code: 'REQUESTOR_NOT_ACTIVE' } });
  return { do: 'wait', retryAfter };
}

/** What the platform failed a look with; undefined where it has answered. */
export function unreadWhy(observation: Observation): string | undefined {
  return observation.of === 'UNREAD' ? observation.why : undefined;
}

type Decision = (state: OnboardingState, facts: Facts) => Command;

const decisions: Readonly<Record<Exclude<OnboardingStep, FinalStep>, Decision>> = {
  REQUESTED: () => call('create the person', 'CreationIntended'),
  // Nothing is looked for where the platform refuses a second person: then a create under way does no harm.
  CREATING_PERSON: (_, { observation, isSettled }) =>
    observation.of === 'NOTHING' || (observation.of === 'SEARCH_ENDED' && isSettled)
      ? call('create the person', 'CreationIntended')
      : adoptPerson(observation),
  // After a stall, as in an outage, the step has had its time: a person that is not listed by then is not found.
  FINDING_PERSON: (state, { observation }) =>
    observation.of === 'SEARCH_ENDED' && state.stalledOn !== undefined
      ? stop(conflictReason(state, observation))
      : adoptPerson(observation),
  AWAITING_CHECKS: ofPerson(goOnAfterChecks),
  CREATING_VERIFICATION: (state, { observation, isSettled }) => {
    if (observation.of === 'PERSON') return endWith(state, observation) ?? wait;
    if (observation.of === 'VERIFICATION_FOUND') return note({ ...observation, type: 'VerificationAdopted' });
    if (observation.of === 'SEARCH_CONTINUES') return note({ ...observation, type: 'SearchContinued' });
    return observation.of === 'SEARCH_ENDED' && isSettled
      ? call('create the verification', 'VerificationIntended')
      : wait;
  },
  AWAITING_REQUESTOR: ofPerson(({ mode }, { requestorStatus }) => {
    if (requestorStatus !== 'ACTIVE') return wait;
    return note({ type: mode === 'video' ? 'VerificationSought' : 'IdentificationSought' });
  }),
  AWAITING_IDENTIFICATION_URL: followVideoCall,
  AWAITING_VIDEO_CALL: followVideoCall,
  SENDING_IDENTIFICATION: ofPerson((_, { isIdentified }, { isSettled }) => {
    if (isIdentified) return note({ type: 'IdentificationAccepted' });
    return isSettled ? call('send the identification', 'IdentificationIntended') : wait;
  }),
  AWAITING_ACTIVATION: ofPerson(() => wait),
  STOPPED: () => wait,
};

function adoptPerson(observation: Observation): Command {
  if (observation.of === 'SEARCH_CONTINUES') return note({ ...observation, type: 'SearchContinued' });
  if (observation.of !== 'PERSON_FOUND') return wait;
  const { naturalPersonId, differing } = observation;
  if (differing.length === 0) return note({ type: 'PersonAdopted', naturalPersonId });
  return note({ type: 'PersonDiffers', reason: { code: 'EXTERNAL_ID_OF_ANOTHER_PERSON', fields: [...differing] } });
}

type SeenPerson = Extract<Observation, { of: 'PERSON' }>;

/** A step that observes the person: some statuses end the onboarding at every step. */
function ofPerson(decide: (state: OnboardingState, observation: SeenPerson, facts: Facts) => Command): Decision {
  return (state, facts) => {
    if (facts.observation.of !== 'PERSON') return wait;
    return endWith(state, facts.observation) ?? decide(state, facts.observation, facts);
  };
}

/** An ACTIVE person needs nothing more: what the step waits for may never come, or under a name that is not known. */
function endWith({ step, mode }: OnboardingState, { status, isIdentified, reasons }: SeenPerson): Command | undefined {
  const ending = endingStatuses.find((one) => one === status);
  if (ending !== undefined) return note({ ...endings[ending], ...(reasons && { codes: reasons }) });
  if (status !== 'ACTIVE') return undefined;
  const hasIdentification = mode === 'supplied' && isIdentified && canHappen(step, 'IdentificationAccepted');
  return note({ type: hasIdentification ? 'IdentificationAccepted' : 'PersonActivated' });
}

function goOnAfterChecks({ mode, ...state }: OnboardingState, observation: SeenPerson, { isSettled }: Facts): Command {
  if (!hasPassedChecks(observation.status)) return wait;
  if (mode === 'none' || state.isIdentified) return note({ type: 'ChecksPassed' });
  if (mode === 'supplied' && observation.isIdentified) return note({ type: 'IdentificationAccepted' });
  if (mode === 'video' && state.mustSeek) return note({ type: 'VerificationSought' });
  if (!isSettled) return wait;
  return mode === 'video'
    ? call('create the verification', 'VerificationIntended')
    : call('send the identification', 'IdentificationIntended');
}

function followVideoCall(state: OnboardingState, { observation, meaningOf }: Facts): Command {
  if (observation.of === 'PERSON') return endWith(state, observation) ?? wait;
  if (observation.of !== 'VERIFICATION') return wait;
  const { step } = state;
  const { status, identificationUrl, isPersonActive, reasons } = observation;
  const meaning = meaningOf(status ?? '');
  if (meaning === 'success') return note({ type: 'IdentificationApproved' });
  const failure = status !== undefined &&
    meaning === 'failure' && {
      reason: { code: `${identificationFailed}${capitalized(status)}` },
      ...(reasons && { codes: reasons }),
    };
  if (isPersonActive) return note({ type: 'PersonActivated', ...failure });
  if (failure) return note({ type: 'IdentificationFailed', ...failure });
  if (step === 'AWAITING_VIDEO_CALL' || identificationUrl === undefined) return wait;
  return note({ type: 'UrlAvailable', identificationUrl });
}
