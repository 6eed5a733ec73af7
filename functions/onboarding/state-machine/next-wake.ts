import type { OnboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { OnboardingFailing, OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { stepRow } from '#shared/onboarding/onboarding-steps.ts';
import { type BackOff, pauseMs } from '#shared/platform/client/back-off.ts';
import { deadlineOf, overAt, settledAt } from './observation.ts';
import { canHappen } from './transitions.ts';

/** In milliseconds: the first back-off of a step. Each is twice the one before, up to an hour. */
const backOff: BackOff = { firstMs: 5_000, maxMs: 3_600_000 };

/**
 * The share of a back-off that is left to chance. So small that a day has fewer than 40 attempts, with every draw:
 * 10 until the back-off is an hour, and one each 48 minutes after that.
 */
const jitter = 0.2;

/** In milliseconds. */
const soonest = 1_000;

/** In milliseconds: of a Retry-After. A platform that asks for more is asked again after a day. */
const maxRetryAfterMs = 86_400_000;

/** Why an onboarding waits. */
export type Waiting = {
  /** What the platform failed with; undefined where it did not fail. */
  readonly failure?: string | undefined;
  /** In milliseconds: how long the platform wants to be left alone. */
  readonly retryAfter?: number | undefined;
  /** A search was too long for one run: the next run continues from where this one has stopped. */
  readonly isSearching?: boolean;
};

export type WaitingDeps = {
  readonly settings: OnboardingSettings;
  readonly now: Date;
  /** From 0 to 1: for the jitter. */
  readonly random: () => number;
};

/**
 * An onboarding that waits, and when it is to be observed again, regardless of webhooks: they get lost, and may have come
 * before it was known whom they are about. Where the platform fails it, or a look is costly, the wait is paced.
 */
export function waitingState(
  { cursor, leases: _, ...state }: OnboardingState,
  { failure, retryAfter = 0, isSearching = false }: Waiting,
  deps: WaitingDeps,
): OnboardingState {
  const time = deps.now.getTime();
  const { isCostly } = stepRow(state.step);
  const soon = time + Math.max(soonest, Math.min(retryAfter, maxRetryAfterMs));
  if (isSearching) return { ...state, cursor, dueOn: timeOf(soon), isPaced: true };
  const failing = failingAfter(state, failure, deps.now);
  const isFailed = failure !== undefined;
  const isFailedLook = isFailed && !isCostly;
  const before = looksBefore(state, failing);
  // An attempt at a cheap look that failed does not make the looks after a success more seldom.
  const looks = isFailedLook ? state.looks : before + 1;
  const exponent = isFailedLook ? (state.failing?.times ?? 0) : before;
  const pause = pauseMs(backOff, exponent) * (1 - jitter * deps.random());
  // While an operator must act first, nothing is observed.
  const observe = state.step === 'STOPPED' ? Number.POSITIVE_INFINITY : time + Math.round(pause);
  const due = Math.max(isFailed ? observe : Math.min(observe, otherEnds(state, deps)), soon);
  const dueOn = timeOf(Math.min(due, Math.max(soon, overAt(state, deps.settings))));
  return { ...state, looks, failing, dueOn, isPaced: isFailed || isCostly ? true : undefined };
}

/** After the first success, the looks begin anew: a webhook that came meanwhile changed nothing. */
function looksBefore({ looks, failing }: OnboardingState, failingNow: OnboardingFailing | undefined): number {
  return failing !== undefined && failingNow === undefined ? 0 : looks;
}

/** A success ends it, but at a step that makes a call: there the call decides, and not the look before it. */
function failingAfter(
  { step, failing }: OnboardingState,
  failure: string | undefined,
  now: Date,
): OnboardingFailing | undefined {
  if (failure === undefined) return canHappen(step, 'CallNotTaken') ? failing : undefined;
  const { since = now.toISOString(), times = 0 } = failing ?? {};
  return { since, times: times + 1, why: failure };
}

/** In milliseconds since 1970: when it is to be observed besides. A step that the platform fails is not. */
function otherEnds(state: OnboardingState, { settings, now }: WaitingDeps): number {
  if (state.step === 'STOPPED') return Number.POSITIVE_INFINITY;
  const settled = settledAt(state, settings) ?? 0;
  return Math.min(
    settled > now.getTime() ? settled : Number.POSITIVE_INFINITY,
    deadlineOf(state, settings) ?? Number.POSITIVE_INFINITY,
  );
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
