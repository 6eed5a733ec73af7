import type { OnboardingEvent } from '#shared/onboarding/onboarding-event.ts';
import type { OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import {
  isIdentificationOpen,
  type OnboardingData,
  type OnboardingState,
  ofPlatform,
} from '#shared/onboarding/onboarding-state.ts';
import { isFinalStep, type OnboardingStep, stepRow } from '#shared/onboarding/onboarding-steps.ts';
import { accepts, type Input, transitionOf } from './transitions.ts';

/**
 * The state once a call was answered: with any answer, the call has no effect later, so no wait is needed. The exception is a
 * restarted onboarding that does not know its person yet: the verification that it created before may still appear.
 */
export function settledBy(state: OnboardingState, { type }: Input): OnboardingState {
  const mayBeUnderWay = state.mustSeek && state.naturalPersonId === undefined;
  return type === 'OutcomeUnknown' || mayBeUnderWay ? state : { ...state, intentOn: undefined };
}

/** The state after an input. @param at ISO 8601, UTC */
export function evolve(state: OnboardingState, input: Input, at: string): OnboardingState {
  const to = transitionOf(state.step, input.type)?.to;
  if (to === undefined) throw new TypeError(`${input.type} cannot happen at ${state.step}.`);
  const moved = to === state.step ? state : enter(state, to, at);
  const own = reasonsOf(input);
  const reasons = own.length > 0 ? own : moved.reasons;
  return { ...moved, reasons, dueOn: endOfRun(at), isPaced: undefined, ...changesOf(input, state, at) };
}

function reasonsOf(input: Input): OnboardingState['reasons'] {
  const codes = 'codes' in input ? (input.codes ?? []) : [];
  const reason = 'reason' in input ? input.reason : undefined;
  return [...(reason === undefined ? [] : [reason]), ...codes.map(ofPlatform)];
}

/** In milliseconds: the time limit of a run. If the run crashes, the onboarding is due after this time. */
const maxRunMs = 120_000;

/** When a run that begins now is over, with any outcome. */
export function endOfRun(now: string): string {
  return new Date(Date.parse(now) + maxRunMs).toISOString();
}

function enter(before: OnboardingState, step: OnboardingStep, since: string): OnboardingState {
  const { stalledOn, cursor, failing, unknownStatus, conflict, hasNamesake, ...state } = before;
  // The link to the video call is not needed any more.
  const url = isFinalStep(step) ? { identificationUrl: undefined } : {};
  const intentOn = isSearchCutShort(before, step) ? (before.intentOn ?? since) : before.intentOn;
  return { ...state, ...url, intentOn, step, since, looks: 0, reasons: [] };
}

/**
 * Whether the search for the person of a 409 ends without a result. The platform then has a person that an erasure must consider.
 * If the search found and adopted the person, its input overwrites `intentOn`.
 */
function isSearchCutShort({ step }: OnboardingState, next: OnboardingStep): boolean {
  return step === 'FINDING_PERSON' && next !== 'FAILED';
}

/** What the input changes besides the step. */
function changesOf(input: Input, state: OnboardingState, at: string): Partial<OnboardingState> {
  switch (input.type) {
    case 'CreationIntended':
      // The answer to the create before never came.
      return {
        intentOn: at,
        isPaced: true,
        cursor: undefined,
        hasUnknownCreate: state.intentOn === undefined ? state.hasUnknownCreate : true,
      };
    case 'IdentificationIntended':
      return { intentOn: at, isPaced: true };
    case 'VerificationIntended':
      // A search for its result begins at the first page, even after a crash.
      return { intentOn: at, isPaced: true, cursor: undefined, mustSeek: true };
    case 'ConflictMet':
      return { conflict: input.conflict };
    case 'CallNotTaken':
      return { intentOn: undefined };
    case 'PersonCreated':
      return {
        naturalPersonId: input.naturalPersonId,
        intentOn: undefined,
        hasUnknownCreate: undefined,
        isExternalIdOfAnother: undefined,
      };
    case 'PersonDiffers':
      // A 409 shows that the externalId is another person's. Without it, the platform may have both.
      if (state.step === 'FINDING_PERSON') return { isExternalIdOfAnother: true, hasUnknownCreate: undefined };
      return { isExternalIdOfAnother: true, ...(state.intentOn !== undefined && { hasUnknownCreate: true }) };
    case 'PersonAdopted':
      // A restarted onboarding may have created a verification just before it ended: that call must settle first.
      return {
        naturalPersonId: input.naturalPersonId,
        intentOn: state.mustSeek ? state.intentOn : undefined,
        hasUnknownCreate: undefined,
        isExternalIdOfAnother: undefined,
        mustSeek: true,
      };
    case 'SearchContinued':
      return { cursor: input.cursor, hasNamesake: state.hasNamesake === true || input.hasNamesake === true };
    case 'VerificationSought':
    case 'IdentificationSought':
      return { requestorWasActive: state.step === 'AWAITING_REQUESTOR' };
    case 'VerificationCreated':
    case 'VerificationAdopted':
      return { identificationVerificationId: input.identificationVerificationId, intentOn: undefined };
    case 'UrlAvailable':
      return { identificationUrl: input.identificationUrl };
    case 'IdentificationAccepted':
    case 'IdentificationApproved':
      return { isIdentified: true, intentOn: undefined, identificationUrl: undefined };
    case 'Stalled':
      return { stalledOn: at };
    case 'Resumed':
      return { stalledOn: undefined, failing: undefined, since: at, looks: 0 };
    case 'Retried':
      return { ...afterRestart, ...formerOf(state, false), openSince: at };
    case 'Restarted':
      return {
        ...afterRestart,
        ...formerOf(state, true),
        openSince: at,
        naturalPersonId: undefined,
        isIdentified: false,
      };
    default:
      return {};
  }
}

/** The ids before a retry or restart, each once: a set of DynamoDB refuses a value that comes twice. */
function formerOf(state: OnboardingState, isPersonFormer: boolean): Partial<OnboardingState> {
  const { naturalPersonId, identificationVerificationId, formerPersonIds, formerVerificationIds } = state;
  return {
    formerPersonIds: isPersonFormer ? withId(formerPersonIds, naturalPersonId) : formerPersonIds,
    formerVerificationIds: withId(formerVerificationIds, identificationVerificationId),
  };
}

function withId(ids: readonly string[] | undefined, id: string | undefined): string[] | undefined {
  return id === undefined ? ids && [...ids] : [...new Set([...(ids ?? []), id])];
}

const afterRestart = {
  mustSeek: true,
  requestorWasActive: false,
  identificationVerificationId: undefined,
  identificationUrl: undefined,
} as const;

/** The next version of an onboarding: with the event to publish, and without the data that is not needed any more. */
export function changeRow(row: OnboardingRow, input: Input, at: string): OnboardingRow {
  const state = evolve(row.state, input, at);
  const data = stillNeeded(state, row.data);
  // The salt is in the row, too: a reader of the row could find a birthday by its digest.
  const digests = data.person === undefined ? { ...row.digests, fields: {} } : row.digests;
  const next = { ...row, version: row.version + 1, state, data, digests };
  const event = eventOf(row.state, next, input);
  return { ...next, outbox: event === undefined ? row.outbox : [...row.outbox, event] };
}

/** Removes personal data as soon as the platform has it, or can never get it. */
function stillNeeded(state: OnboardingState, { person, identification, redirectUrl }: OnboardingData): OnboardingData {
  const isOpen = !stepRow(state.step).final;
  const needs = {
    person: isOpen && state.naturalPersonId === undefined,
    identification: isOpen && !state.isIdentified,
    // A retry needs it for the next verification.
    redirectUrl: (isOpen || accepts(state.step, 'Retried')) && !state.isIdentified,
  };
  return {
    ...(needs.person && { person }),
    ...(needs.identification && { identification }),
    ...(needs.redirectUrl && { redirectUrl }),
  };
}

/** Whether a retry cannot continue, because the identification of the request was deleted when the onboarding ended. */
export function lacksIdentification({ state, data }: Pick<OnboardingRow, 'state' | 'data'>): boolean {
  return state.mode === 'supplied' && !state.isIdentified && data.identification === undefined;
}

/**
 * Adds the platform's codes to an onboarding that has ended: their webhook may arrive after the end. The end is published once more,
 * unless the person is ACTIVE: no partner should count a second success. Until it is published, the onboarding is due again.
 *
 * @param at ISO 8601, UTC
 */
export function addReasons(row: OnboardingRow, codes: readonly string[], at: string): OnboardingRow {
  const { step, reasons } = row.state;
  const added = codes.filter((code) => !reasons.some((reason) => reason.code === code)).map(ofPlatform);
  const { event, final } = stepRow(step);
  if (added.length === 0 || !final) return row;
  const state = { ...row.state, reasons: [...reasons, ...added] };
  const next = { ...row, version: row.version + 1, state };
  if (event !== 'OnboardingEnded') return next;
  const outbox = [...row.outbox, { detailType: event, detail: detailOf(next) }];
  return { ...next, state: { ...state, dueOn: endOfRun(at) }, outbox };
}

/** The event to publish; undefined if the onboarding stays at its step and does not stall. */
function eventOf(
  before: OnboardingState,
  { state, ...row }: OnboardingRow,
  { type }: Input,
): OnboardingEvent | undefined {
  const detail = detailOf({ ...row, state });
  if (type === 'Stalled') return { detailType: 'OnboardingStalled', detail };
  if (state.step === before.step) return undefined;
  const { event } = stepRow(state.step);
  const isProgress = event === 'OnboardingAccepted' && type !== 'Restarted';
  return { detailType: isProgress ? 'OnboardingProgressed' : event, detail };
}

/** The detail of every event of an onboarding. Never its identificationUrl: with that URL anyone can take the person's video call. */
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
