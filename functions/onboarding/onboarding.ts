import type { OnboardingState } from '#shared/onboarding-state.ts';
import {
  endingStatuses,
  type OnboardingEventType,
  type OnboardingStep,
  onboardingTransitions,
  stepRow,
} from '#shared/onboarding-steps.ts';
import type { Facts, Seen } from './facts.ts';
import { endings, type Occurrence } from './occurrence.ts';

/** The calls that an onboarding makes: none of them can be repeated without looking. */
export type Call = 'create the person' | 'create the verification' | 'send the identification';

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

/** How to go on, from where the onboarding is and what is known. Every state and every fact has a decision. */
export function decide(state: OnboardingState, facts: Facts): Command {
  if (stepRow(state.step).final) return { do: 'nothing' };
  const command = facts.seen.of === 'UNREAD' ? decideUnread(state, facts.seen) : ways[state.step](state, facts);
  if (command.do === 'note' && !waitsAfter(state.step, command.occurrence.type)) return command;
  if (facts.time === 'over') return note({ type: 'Expired' });
  // A call that is made again was not taken, or came to nothing: that is waiting, too.
  const isCallRepeated = command.do === 'call' && can(state.step, 'CallNotTaken');
  if (command.do !== 'wait' && !isCallRepeated) return command;
  const failure = isCallRepeated ? state.failing?.why : unreadWhy(facts.seen);
  if (facts.isGivenUp && failure !== undefined && can(state.step, 'Stopped')) return stop(failure);
  return facts.time === 'late' ? giveUpWaiting(state, facts.seen) : command;
}

/** Where the step has taken too long: some waits are in vain, all others are published. */
function giveUpWaiting(state: OnboardingState, seen: Seen): Command {
  const { step } = state;
  if (step === 'FINDING_PERSON' && seen.of === 'SEARCH_ENDED') return stop(conflictReason(state, seen));
  if (seen.of === 'PERSON_MISSING' && can(step, 'Stopped')) return stop('PERSON_NOT_FOUND');
  return can(step, 'Stalled') ? note({ type: 'Stalled' }) : wait;
}

/** Why the platform answers 409 although the list has no person of the externalId, as far as the answer tells. */
function conflictReason({ conflict, ...state }: OnboardingState, { hasNamesake }: SearchEnded): string {
  if (conflict === 'EXTERNAL_ID') return 'EXTERNAL_ID_TAKEN';
  const isKnown = conflict === 'PERSON' || state.hasNamesake === true || hasNamesake === true;
  return isKnown ? 'PERSON_HAS_ANOTHER_EXTERNAL_ID' : 'CONFLICT_UNEXPLAINED';
}

type SearchEnded = Extract<Seen, { of: 'SEARCH_ENDED' }>;

/** The platform did not say what was asked: it is asked again later, but where that would be in vain. */
function decideUnread(
  { step, requestorWasActive }: OnboardingState,
  { why, retryAfter }: Extract<Seen, { of: 'UNREAD' }>,
): Command {
  if (why === 'REQUESTOR_ID_INVALID' && can(step, 'Stopped')) return stop(why);
  if (why === 'VALIDATION_ERROR' && can(step, 'RequestorNotActive'))
    return requestorWasActive
      ? stop(why)
      : note({ type: 'RequestorNotActive', reason: { code: 'REQUESTOR_NOT_ACTIVE' } });
  return { do: 'wait', retryAfter };
}

/** What the platform failed a look with; undefined where it has answered. */
export function unreadWhy(seen: Seen): string | undefined {
  return seen.of === 'UNREAD' ? seen.why : undefined;
}

type Way = (state: OnboardingState, facts: Facts) => Command;

const ways: Readonly<Record<OnboardingStep, Way>> = {
  REQUESTED: () => call('create the person', 'CreationIntended'),
  // Nothing is looked for where the platform refuses a second person: then a create under way does no harm.
  CREATING_PERSON: (_, { seen, isSettled }) =>
    seen.of === 'NOTHING' || (seen.of === 'SEARCH_ENDED' && isSettled)
      ? call('create the person', 'CreationIntended')
      : adoptPerson(seen),
  // One that stalled, as in an outage, has had its time: who is not shown after that is looked for in vain.
  FINDING_PERSON: (state, { seen }) =>
    seen.of === 'SEARCH_ENDED' && state.stalledOn !== undefined ? stop(conflictReason(state, seen)) : adoptPerson(seen),
  AWAITING_CHECKS: ofPerson(goOnAfterChecks),
  CREATING_VERIFICATION: (_, { seen, isSettled }) => {
    if (seen.of === 'PERSON') return endWith(seen) ?? wait;
    if (seen.of === 'VERIFICATION_FOUND') return note({ ...seen, type: 'VerificationAdopted' });
    if (seen.of === 'SEARCH_CONTINUES') return note({ ...seen, type: 'SearchContinued' });
    return seen.of === 'SEARCH_ENDED' && isSettled ? call('create the verification', 'VerificationIntended') : wait;
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
  AWAITING_ACTIVATION: ofPerson((_, { status }) => (status === 'ACTIVE' ? note({ type: 'PersonActivated' }) : wait)),
  STOPPED: () => wait,
  COMPLETED: () => wait,
  SUSPENDED: () => wait,
  BLOCKED: () => wait,
  REJECTED: () => wait,
  INVALID: () => wait,
  DECEASED: () => wait,
  FAILED: () => wait,
  CANCELED: () => wait,
  EXPIRED: () => wait,
};

function adoptPerson(seen: Seen): Command {
  if (seen.of === 'SEARCH_CONTINUES') return note({ ...seen, type: 'SearchContinued' });
  if (seen.of !== 'PERSON_FOUND') return wait;
  const { naturalPersonId, differing } = seen;
  if (differing.length === 0) return note({ type: 'PersonAdopted', naturalPersonId });
  return note({ type: 'PersonDiffers', reason: { code: 'EXTERNAL_ID_OF_ANOTHER_PERSON', fields: [...differing] } });
}

type SeenPerson = Extract<Seen, { of: 'PERSON' }>;

/** A step that looks at the person: some statuses end it wherever it is. */
function ofPerson(goOn: (state: OnboardingState, seen: SeenPerson, facts: Facts) => Command): Way {
  return (state, facts) => {
    if (facts.seen.of !== 'PERSON') return wait;
    return endWith(facts.seen) ?? goOn(state, facts.seen, facts);
  };
}

function endWith({ status }: SeenPerson): Command | undefined {
  const ending = endingStatuses.find((one) => one === status);
  return ending && note(endings[ending]);
}

/** What a person has passed its checks with. */
const checked: ReadonlySet<string | undefined> = new Set(['CREATED', 'PENDING', 'ACTIVE']);

function goOnAfterChecks({ mode, ...state }: OnboardingState, seen: SeenPerson, { isSettled }: Facts): Command {
  if (!checked.has(seen.status)) return wait;
  if (mode === 'none' || state.isIdentified) return note({ type: 'ChecksPassed' });
  if (mode === 'supplied' && seen.isIdentified) return note({ type: 'IdentificationAccepted' });
  if (mode === 'video' && state.mustSeek) return note({ type: 'VerificationSought' });
  if (!isSettled) return wait;
  return mode === 'video'
    ? call('create the verification', 'VerificationIntended')
    : call('send the identification', 'IdentificationIntended');
}

function followVideoCall({ step }: OnboardingState, { seen, isFailure }: Facts): Command {
  if (seen.of === 'PERSON') return endWith(seen) ?? wait;
  if (seen.of !== 'VERIFICATION') return wait;
  const { status, identificationUrl } = seen;
  if (status === 'APPROVED') return note({ type: 'IdentificationApproved' });
  if (status !== undefined && isFailure(status))
    return note({ type: 'IdentificationFailed', reason: { code: `IDENTIFICATION_${status}` } });
  if (step === 'AWAITING_VIDEO_CALL' || identificationUrl === undefined) return wait;
  return note({ type: 'UrlAvailable', identificationUrl });
}

const transitions = new Map(onboardingTransitions.map((one) => [`${one.from} ${one.on}`, one]));

/** Whether this can happen at this step. */
export function can(step: OnboardingStep, on: OnboardingEventType): boolean {
  return transitions.has(`${step} ${on}`);
}

/** Whether an onboarding waits to be woken, once this has happened at this step. */
export function waitsAfter(step: OnboardingStep, on: OnboardingEventType): boolean {
  return transitions.get(`${step} ${on}`)?.waits === true;
}

/**
 * Once a call was answered, whatever the answer, nothing of it can be under way any more: there is nothing to wait out. But of
 * an onboarding that began anew a verification may be under way that it asked for before, until it knows its person again.
 */
export function settledBy(state: OnboardingState, { type }: Occurrence): OnboardingState {
  const mayBeUnderWay = state.mustSeek && state.naturalPersonId === undefined;
  return type === 'OutcomeUnknown' || mayBeUnderWay ? state : { ...state, intentOn: undefined };
}

/** The onboarding after something has happened. @param at ISO 8601, UTC */
export function evolve(state: OnboardingState, occurrence: Occurrence, at: string): OnboardingState {
  const to = transitions.get(`${state.step} ${occurrence.type}`)?.to;
  if (to === undefined) throw new TypeError(`${occurrence.type} cannot happen at ${state.step}.`);
  const moved = to === state.step ? state : enter(state, to, at);
  const reasons = 'reason' in occurrence ? [occurrence.reason] : moved.reasons;
  return { ...moved, reasons, dueOn: at, quietUntil: undefined, ...traceOf(occurrence, state, at) };
}

/** In milliseconds: the time limit of a run. Another run asks the platform for nothing meanwhile. */
const longestRun = 120_000;

/** When a run that begins now is over, whatever becomes of it. */
export function endOfRun(now: string): string {
  return new Date(Date.parse(now) + longestRun).toISOString();
}

function enter(before: OnboardingState, step: OnboardingStep, since: string): OnboardingState {
  const { stalledOn, cursor, failing, conflict, hasNamesake, ...state } = before;
  // A link to a video call is of no use any more.
  const url = stepRow(step).final ? { identificationUrl: undefined } : {};
  return { ...state, ...url, step, since, looks: 0, reasons: [] };
}

/** What is remembered of it, besides the step. */
function traceOf(occurrence: Occurrence, state: OnboardingState, at: string): Partial<OnboardingState> {
  switch (occurrence.type) {
    case 'CreationIntended':
    case 'IdentificationIntended':
      return { intentOn: at, quietUntil: endOfRun(at) };
    case 'VerificationIntended':
      return { intentOn: at, quietUntil: endOfRun(at), mustSeek: true };
    case 'ConflictMet':
      return { conflict: occurrence.conflict };
    case 'CallNotTaken':
      return { intentOn: undefined };
    case 'PersonCreated':
      return { naturalPersonId: occurrence.naturalPersonId, intentOn: undefined };
    case 'PersonAdopted':
      // One that began anew may have asked for a verification just before it ended: it settles first.
      return {
        naturalPersonId: occurrence.naturalPersonId,
        intentOn: state.mustSeek ? state.intentOn : undefined,
        mustSeek: true,
      };
    case 'SearchContinued':
      return { cursor: occurrence.cursor, hasNamesake: state.hasNamesake === true || occurrence.hasNamesake === true };
    case 'VerificationSought':
    case 'IdentificationSought':
      return { requestorWasActive: state.step === 'AWAITING_REQUESTOR' };
    case 'VerificationCreated':
    case 'VerificationAdopted':
      return { identificationVerificationId: occurrence.identificationVerificationId, intentOn: undefined };
    case 'UrlAvailable':
      return { identificationUrl: occurrence.identificationUrl };
    case 'IdentificationAccepted':
    case 'IdentificationApproved':
      return { isIdentified: true, intentOn: undefined, identificationUrl: undefined };
    case 'IdentificationFailed':
      return { identificationUrl: undefined };
    case 'Stalled':
      return { stalledOn: at };
    case 'Resumed':
      return { stalledOn: undefined, failing: undefined, since: at, looks: 0 };
    case 'Retried':
      return { ...anew, ...formerOf(state, false), openSince: at };
    case 'Restarted':
      return { ...anew, ...formerOf(state, true), openSince: at, naturalPersonId: undefined, isIdentified: false };
    default:
      return {};
  }
}

/** What it had until now, and may have again: the sets of DynamoDB take no value twice. */
function formerOf(state: OnboardingState, isPersonFormer: boolean): Partial<OnboardingState> {
  const { naturalPersonId, identificationVerificationId, formerPersonIds, formerVerificationIds } = state;
  return {
    formerPersonIds: isPersonFormer ? withOne(formerPersonIds, naturalPersonId) : formerPersonIds,
    formerVerificationIds: withOne(formerVerificationIds, identificationVerificationId),
  };
}

function withOne(ids: readonly string[] | undefined, id: string | undefined): string[] | undefined {
  return id === undefined ? ids && [...ids] : [...new Set([...(ids ?? []), id])];
}

const anew = {
  mustSeek: true,
  requestorWasActive: false,
  identificationVerificationId: undefined,
  identificationUrl: undefined,
} as const;
