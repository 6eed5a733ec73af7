import type { OnboardingSettings } from '#shared/onboarding-settings.ts';
import type { OnboardingState } from '#shared/onboarding-state.ts';
import { deadlineOf, overAt, settledAt } from './facts.ts';

/** In milliseconds: how long until a step is looked at for the first time, twice that until the second, and so on. */
const backoff = { first: 5_000, most: 3_600_000 } as const;

/** In milliseconds. */
const soonest = 1_000;

/** Why an onboarding waits. */
export type Waiting = {
  /** In milliseconds: how long the platform wants to be left alone. */
  readonly retryAfter?: number | undefined;
  /** A search was too long for one run: the next one goes on at once, where this one has stopped. */
  readonly isSearching?: boolean;
};

/**
 * An onboarding that waits, and when it is to be looked at again, whatever webhooks come: they get lost, and may have come
 * before it was known whom they are about.
 */
export function waitingState(
  { cursor, ...state }: OnboardingState,
  settings: OnboardingSettings,
  now: Date,
  { retryAfter = 0, isSearching = false }: Waiting,
): OnboardingState & { readonly dueOn: string } {
  const soon = now.getTime() + Math.max(soonest, retryAfter);
  if (isSearching) return { ...state, cursor, dueOn: new Date(soon).toISOString() };
  const due = Math.max(nextLook(state, settings, now.getTime()), soon);
  return { ...state, looks: state.looks + 1, dueOn: new Date(due).toISOString() };
}

/** In milliseconds since 1970. */
function nextLook(state: OnboardingState, settings: OnboardingSettings, time: number): number {
  const settled = settledAt(state, settings) ?? 0;
  return Math.min(
    // Where somebody must do something first, nothing is looked at.
    state.step === 'STOPPED'
      ? Number.POSITIVE_INFINITY
      : time + Math.min(backoff.first * 2 ** state.looks, backoff.most),
    settled > time ? settled : Number.POSITIVE_INFINITY,
    deadlineOf(state, settings) ?? Number.POSITIVE_INFINITY,
    overAt(state, settings),
  );
}
