import type { OnboardingEvent } from '#shared/onboarding/onboarding-event.ts';
import type { OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import {
  isIdentificationOpen,
  type OnboardingData,
  type OnboardingState,
  ofPlatform,
} from '#shared/onboarding/onboarding-state.ts';
import { stepRow } from '#shared/onboarding/onboarding-steps.ts';
import { evolve } from './evolve.ts';
import type { Occurrence } from './occurrence.ts';

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
