import { type OnboardingState, ofPlatform } from '#shared/onboarding/onboarding-state.ts';
import { isFinalStep, type OnboardingStep } from '#shared/onboarding/onboarding-steps.ts';
import type { Occurrence } from './occurrence.ts';
import { transitionOf } from './transitions.ts';

/**
 * Once a call was answered, with any answer, nothing of it can be under way: there is nothing to wait for. But of
 * a restarted onboarding, a verification may be under way that it asked for before, until it knows its person again.
 */
export function settledBy(state: OnboardingState, { type }: Occurrence): OnboardingState {
  const mayBeUnderWay = state.mustSeek && state.naturalPersonId === undefined;
  return type === 'OutcomeUnknown' || mayBeUnderWay ? state : { ...state, intentOn: undefined };
}

/** The onboarding after something has happened. @param at ISO 8601, UTC */
export function evolve(state: OnboardingState, occurrence: Occurrence, at: string): OnboardingState {
  const to = transitionOf(state.step, occurrence.type)?.to;
  if (to === undefined) throw new TypeError(`${occurrence.type} cannot happen at ${state.step}.`);
  const moved = to === state.step ? state : enter(state, to, at);
  const own = reasonsOf(occurrence);
  const reasons = own.length > 0 ? own : moved.reasons;
  return { ...moved, reasons, dueOn: endOfRun(at), isPaced: undefined, ...traceOf(occurrence, state, at) };
}

function reasonsOf(occurrence: Occurrence): OnboardingState['reasons'] {
  const codes = 'codes' in occurrence ? (occurrence.codes ?? []) : [];
  const reason = 'reason' in occurrence ? occurrence.reason : undefined;
  return [...(reason === undefined ? [] : [reason]), ...codes.map(ofPlatform)];
}

/** In milliseconds: the time limit of a run. If it dies, the onboarding is due by then. */
const maxRunMs = 120_000;

/** When a run that begins now is over, regardless of its outcome. */
export function endOfRun(now: string): string {
  return new Date(Date.parse(now) + maxRunMs).toISOString();
}

function enter(before: OnboardingState, step: OnboardingStep, since: string): OnboardingState {
  const { stalledOn, cursor, failing, unknownStatus, conflict, hasNamesake, ...state } = before;
  // A link to a video call is of no use any more.
  const url = isFinalStep(step) ? { identificationUrl: undefined } : {};
  const intentOn = isSearchCutShort(before, step) ? (before.intentOn ?? since) : before.intentOn;
  return { ...state, ...url, intentOn, step, since, looks: 0, reasons: [] };
}

/**
 * Whether the search for the person that the platform has, by its 409, is left without an answer: an erasure must know of that
 * person. A person that the search found, and took on, replaces what this leaves.
 */
function isSearchCutShort({ step }: OnboardingState, next: OnboardingStep): boolean {
  return step === 'FINDING_PERSON' && next !== 'FAILED';
}

/** What is remembered of it, besides the step. */
function traceOf(occurrence: Occurrence, state: OnboardingState, at: string): Partial<OnboardingState> {
  switch (occurrence.type) {
    case 'CreationIntended':
    case 'IdentificationIntended':
      return { intentOn: at, isPaced: true };
    case 'VerificationIntended':
      return { intentOn: at, isPaced: true, mustSeek: true };
    case 'ConflictMet':
      return { conflict: occurrence.conflict };
    case 'CallNotTaken':
      return { intentOn: undefined };
    case 'PersonCreated':
      return { naturalPersonId: occurrence.naturalPersonId, intentOn: undefined };
    case 'PersonAdopted':
      // A restarted onboarding may have asked for a verification just before it ended: that call settles first.
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
