import type { OnboardingEvent } from '#shared/onboarding/onboarding-event.ts';
import type { OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import {
  isIdentificationOpen,
  type OnboardingData,
  type OnboardingState,
  ofPlatform,
} from '#shared/onboarding/onboarding-state.ts';
import { isFinalStep, type OnboardingStep, stepRow } from '#shared/onboarding/onboarding-steps.ts';
import type { Occurrence } from './observation.ts';
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

/** The next version of an onboarding: with what is to be published of it, and without what is not needed any more. */
export function changeRow(row: OnboardingRow, occurrence: Occurrence, at: string): OnboardingRow {
  const state = evolve(row.state, occurrence, at);
  const next = { ...row, version: row.version + 1, state, data: stillNeeded(state, row.data) };
  const event = eventOf(row.state, next, occurrence);
  return { ...next, outbox: event === undefined ? row.outbox : [...row.outbox, event] };
}

/** Personal data goes as soon as the platform has it, or as it is clear that it never will. */
function stillNeeded(state: OnboardingState, { person, identification, redirectUrl }: OnboardingData): OnboardingData {
  const isOpen = !stepRow(state.step).final;
  const needs = {
    person: isOpen && state.naturalPersonId === undefined,
    identification: isOpen && !state.isIdentified,
    // One that has failed may be retried.
    redirectUrl: (isOpen || state.step === 'FAILED') && !state.isIdentified,
  };
  return {
    ...(needs.person && { person }),
    ...(needs.identification && { identification }),
    ...(needs.redirectUrl && { redirectUrl }),
  };
}

/**
 * An onboarding that has ended, with the codes of the platform that it did not have yet: they come by a webhook, which may be later
 * than the end. The end is published once more, unless the person is ACTIVE: no partner is to take an onboarding for a second success.
 */
export function addReasons(row: OnboardingRow, codes: readonly string[]): OnboardingRow {
  const { step, reasons } = row.state;
  const added = codes.filter((code) => !reasons.some((reason) => reason.code === code)).map(ofPlatform);
  const { event, final } = stepRow(step);
  if (added.length === 0 || !final) return row;
  const next = { ...row, version: row.version + 1, state: { ...row.state, reasons: [...reasons, ...added] } };
  if (event !== 'OnboardingEnded') return next;
  return { ...next, outbox: [...row.outbox, { detailType: event, detail: detailOf(next) }] };
}

/** What is published; undefined while the onboarding stays at its step and does not stall. */
function eventOf(
  before: OnboardingState,
  { state, ...row }: OnboardingRow,
  { type }: Occurrence,
): OnboardingEvent | undefined {
  const detail = detailOf({ ...row, state });
  if (type === 'Stalled') return { detailType: 'OnboardingStalled', detail };
  if (state.step === before.step) return undefined;
  const { event } = stepRow(state.step);
  const isProgress = event === 'OnboardingAccepted' && type !== 'Restarted';
  return { detailType: isProgress ? 'OnboardingProgressed' : event, detail };
}

/** What every event says of an onboarding. Never its identificationUrl: who has that URL can take the person's video call. */
export function detailOf({ onboardingId, version, state }: Pick<OnboardingRow, 'onboardingId' | 'version' | 'state'>) {
  const { step, since, mode, naturalPersonId, identificationVerificationId, reasons } = state;
  return {
    onboardingId,
    sequence: version,
    step,
    since,
    mode,
    ...(naturalPersonId !== undefined && { naturalPersonId }),
    ...(identificationVerificationId !== undefined && { identificationVerificationId }),
    ...(isIdentificationOpen(state) && { isIdentificationOpen: true as const }),
    ...(reasons.length > 0 && { reasons: [...reasons] }),
  };
}
