import type { OnboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { OnboardingFailing, OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { stepRow } from '#shared/onboarding/onboarding-steps.ts';
import { type BackOff, pauseMs } from '#shared/platform/client/retry-policy.ts';
import type { Conditions } from './decide.ts';
import { accepts } from './transitions.ts';

const secondsPerHour = 3_600;
const secondsPerDay = 86_400;

/** The conditions that depend on the time. */
export function timeConditions(
  state: OnboardingState,
  settings: OnboardingSettings,
  now: Date,
): Pick<Conditions, 'time' | 'isSettled' | 'isGivenUp'> {
  const settledOn = settledAt(state, settings);
  return {
    time: timeStatus(state, settings, now),
    isSettled: settledOn === undefined || settledOn <= now.getTime(),
    isGivenUp: now.getTime() >= givenUpAt(state, settings),
  };
}

function timeStatus(state: OnboardingState, settings: OnboardingSettings, now: Date): Conditions['time'] {
  if (now.getTime() >= expiryTime(state, settings)) return 'over';
  const deadline = deadlineOf(state, settings);
  return deadline !== undefined && now.getTime() >= deadline ? 'late' : 'in time';
}

/** When an open onboarding expires. In milliseconds since 1970, as all that follow. */
function expiryTime({ openSince }: OnboardingState, { openDays }: OnboardingSettings): number {
  return Date.parse(openSince) + openDays * secondsPerDay * 1_000;
}

/** When DynamoDB may delete the row: in seconds since 1970. */
export function expiresAt(state: OnboardingState, settings: OnboardingSettings): number {
  return Math.floor(expiryTime(state, settings) / 1_000) + settings.retentionDays * secondsPerDay;
}

/** When the step stalls; undefined if it has stalled already, or has no deadline. */
function deadlineOf(state: OnboardingState, settings: OnboardingSettings): number | undefined {
  return state.stalledOn === undefined ? stepDeadline(state, settings) : undefined;
}

/** When the deadline of the step passes; undefined if the step has no deadline. */
function stepDeadline({ step, since }: OnboardingState, { deadlines }: OnboardingSettings): number | undefined {
  const seconds = Object.entries(deadlines).find(([name]) => name === step)?.[1];
  return seconds === undefined ? undefined : Date.parse(since) + seconds * 1_000;
}

/** When to give up a step that the platform fails: not before its deadline. Infinity if the platform does not fail the step. */
function givenUpAt(state: OnboardingState, settings: OnboardingSettings): number {
  if (state.failing === undefined) return Number.POSITIVE_INFINITY;
  const failingMs = settings.stopAfterHours * secondsPerHour * 1_000;
  return Math.max(Date.parse(state.failing.since) + failingMs, stepDeadline(state, settings) ?? 0);
}

/** In milliseconds: how long after it was recorded a call may run. */
export const maxCallMs = 20_000;

/** When the latest create can have no effect any more, not before its call has ended; undefined if there is none. */
export function settledAt({ intentOn, naturalPersonId }: OnboardingState, { settle }: OnboardingSettings) {
  if (intentOn === undefined) return undefined;
  const seconds = naturalPersonId === undefined ? settle.person : settle.identification;
  return Date.parse(intentOn) + Math.max(seconds * 1_000, maxCallMs);
}

/** In milliseconds: the first back-off of a step. Each further back-off is twice as long, up to an hour. */
const backOff: BackOff = { firstMs: 5_000, maxMs: 3_600_000 };

/**
 * The random share of a back-off. It is so small that a day never has 40 attempts: at most 10 until the back-off is an hour,
 * and one each 48 minutes after that.
 */
const jitter = 0.2;

/** In milliseconds. */
const minWaitMs = 1_000;

/** In milliseconds: a longer Retry-After counts as one day. */
const maxRetryAfterMs = 86_400_000;

/** Why an onboarding waits. */
export type Waiting = {
  /** The failure of the platform; undefined if it did not fail. */
  readonly failure?: string | undefined;
  /** Whether the failure is that the platform answered, and does not show what it had: a webhook may say more. */
  readonly isMissing?: boolean;
  /** In milliseconds: how long the platform wants no further call. */
  readonly retryAfter?: number | undefined;
  /** Whether a search was too long for one run: the next run continues it. */
  readonly isSearching?: boolean;
};

export type WaitingDeps = {
  readonly settings: OnboardingSettings;
  readonly now: Date;
  /** From 0 to 1: for the jitter. */
  readonly random: () => number;
};

/**
 * The state of an onboarding that waits, with the time of the next attempt. That time does not depend on webhooks: they get lost,
 * or arrive before their person is known. If the platform fails the step, or an attempt is costly, the wait is paced.
 */
export function waitingState(
  { cursor, leases: _, dueSince: __, ...state }: OnboardingState,
  { failure, isMissing = false, retryAfter = 0, isSearching = false }: Waiting,
  deps: WaitingDeps,
): OnboardingState {
  const time = deps.now.getTime();
  const { isCostly } = stepRow(state.step);
  const earliest = time + Math.max(minWaitMs, Math.min(retryAfter, maxRetryAfterMs));
  if (isSearching) return { ...state, cursor, dueOn: isoTime(earliest), isPaced: true };
  const failing = failingAfter(state, failure, deps.now);
  const isFailed = failure !== undefined;
  const isFailedRead = isFailed && !isCostly;
  const before = attemptsBefore(state, failing);
  // A failed attempt that is cheap does not lengthen the back-off after a success.
  const attempts = isFailedRead ? state.looks : before + 1;
  const exponent = isFailedRead ? (state.failing?.times ?? 0) : before;
  const pause = pauseMs(backOff, exponent) * (1 - jitter * deps.random());
  // A STOPPED onboarding waits for an operator: nothing is read.
  const nextAttempt = state.step === 'STOPPED' ? Number.POSITIVE_INFINITY : time + Math.round(pause);
  const due = Math.max(isFailed ? nextAttempt : Math.min(nextAttempt, nextTimedChange(state, deps)), earliest);
  const dueOn = isoTime(Math.min(due, Math.max(earliest, expiryTime(state, deps.settings))));
  return {
    ...state,
    looks: attempts,
    failing,
    dueOn,
    isPaced: (isFailed && !isMissing) || isCostly ? true : undefined,
  };
}

/** The first success restarts the back-off: a webhook that arrived during the failure changed nothing. */
function attemptsBefore({ looks, failing }: OnboardingState, failingAfterwards: OnboardingFailing | undefined): number {
  return failing !== undefined && failingAfterwards === undefined ? 0 : looks;
}

/** A successful read ends the failure, except at a step that makes a call: there only the call can end it. */
function failingAfter(
  { step, failing }: OnboardingState,
  failure: string | undefined,
  now: Date,
): OnboardingFailing | undefined {
  if (failure === undefined) return accepts(step, 'CallNotTaken') ? failing : undefined;
  const { since = now.toISOString(), times = 0 } = failing ?? {};
  return { since, times: times + 1, why: failure };
}

/** In milliseconds since 1970: when a create settles, or the deadline passes. Neither matters while the platform fails the step. */
function nextTimedChange(state: OnboardingState, { settings, now }: WaitingDeps): number {
  if (state.step === 'STOPPED') return Number.POSITIVE_INFINITY;
  const settled = settledAt(state, settings) ?? 0;
  return Math.min(
    settled > now.getTime() ? settled : Number.POSITIVE_INFINITY,
    deadlineOf(state, settings) ?? Number.POSITIVE_INFINITY,
  );
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
