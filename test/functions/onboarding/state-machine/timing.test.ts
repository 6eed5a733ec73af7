import { describe, expect, it } from 'vitest';
import {
  expiresAt,
  settledAt,
  timeConditions,
  type Waiting,
  type WaitingDeps,
  waitingState,
} from '#functions/onboarding/state-machine/timing.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { newOnboarding, type OnboardingState } from '#shared/onboarding/onboarding-state.ts';

const start = Date.parse('2026-01-02T03:04:05.678Z');
const at = (seconds: number) => new Date(start + seconds * 1_000);
const settings = onboardingSettings.parse({});
const hour = 3_600;
const day = 24 * hour;

/** Settings with short times. */
const shortTimes = onboardingSettings.parse({
  settle: { person: 7, identification: 90 },
  stopAfterHours: 12,
  deadlines: { FINDING_PERSON: hour, AWAITING_VIDEO_CALL: 24 * hour },
});

function onboarding(more: Partial<OnboardingState>): OnboardingState {
  return { ...newOnboarding('video', at(0).toISOString()), ...more };
}

function waiting(more: Partial<OnboardingState> = {}): OnboardingState {
  return { ...newOnboarding('video', at(0).toISOString()), step: 'AWAITING_CHECKS', ...more };
}

/** Without jitter. */
const deps = { settings, now: at(0), random: () => 0 };

/** In seconds: after how long the next attempt comes. */
function delayOf(state: OnboardingState, how: Waiting = {}, { now, ...more }: Partial<WaitingDeps> = {}): number {
  const time = now ?? at(0);
  return (Date.parse(waitingState(state, how, { ...deps, ...more, now: time }).dueOn ?? '') - time.getTime()) / 1_000;
}

describe('an onboarding that waits', () => {
  it.each([
    [0, 5],
    [1, 10],
    [5, 160],
    [9, 2_560],
    [10, 3_600],
    [1_000, 3_600],
  ])('reads the platform, with or without webhooks, after %d reads in %d seconds', (looks, seconds) => {
    expect(delayOf(waiting({ looks }))).toBe(seconds);
    expect(waitingState(waiting({ looks }), {}, deps).looks).toBe(looks + 1);
  });

  it('reads the platform no sooner than the platform wants', () => {
    expect(delayOf(waiting(), { retryAfter: 120_000 })).toBe(120);
  });

  it('reads the platform when a create has settled, and when the deadline passes', () => {
    const naturalPersonId = 'person';
    expect(delayOf(waiting({ looks: 9, naturalPersonId, intentOn: at(0).toISOString() }))).toBe(60);
    expect(delayOf(waiting({ looks: 9 }), {}, { now: at(2 * day - 100) })).toBe(100);
    expect(delayOf(waiting({ looks: 9, stalledOn: at(0).toISOString() }), {}, { now: at(2 * day - 100) })).toBe(2_560);
  });

  it('wakes when its time is over while an operator must act first', () => {
    expect(delayOf(waiting({ step: 'STOPPED' }))).toBe(settings.openDays * day);
    expect(delayOf(waiting({ step: 'STOPPED', intentOn: at(0).toISOString() }))).toBe(settings.openDays * day);
  });

  it('reads the platform only by its back-off once a create has settled', () => {
    const settlesNow = at(-20).toISOString();
    expect(delayOf(waiting({ looks: 9, intentOn: settlesNow }))).toBe(2_560);
  });

  it('reads the platform up to a fifth sooner, at random', () => {
    expect([0, 0.5, 1].map((drawn) => delayOf(waiting(), {}, { random: () => drawn }))).toEqual([5, 4.5, 4]);
  });

  it('is paced only at a step where each look is costly', () => {
    expect(waitingState(waiting({ isPaced: true }), {}, deps).isPaced).toBeUndefined();
    const costly = waitingState(waiting({ step: 'CREATING_VERIFICATION' }), {}, deps);
    expect(costly).toMatchObject({ dueOn: at(5).toISOString(), isPaced: true });
  });

  it('continues a search immediately from where it is, and starts the next one from the beginning', () => {
    expect(waitingState(waiting({ cursor: 'next' }), { isSearching: true }, deps)).toMatchObject({
      cursor: 'next',
      looks: 0,
      dueOn: at(1).toISOString(),
      isPaced: true,
    });
    expect(waitingState(waiting({ cursor: 'next' }), {}, deps).cursor).toBeUndefined();
  });
});

describe('what waits because the platform fails it', () => {
  const failure = 'HTTP_500';
  const failing = { since: at(-day).toISOString(), times: 3, why: 'NO_ANSWER' };
  const costly = { step: 'CREATING_VERIFICATION' } as const;

  it.each<[Partial<OnboardingState>, number]>([
    [{ looks: 9 }, 5],
    [{ looks: 9, failing }, 40],
    [{ looks: 9, failing: { ...failing, times: 9 } }, 2_560],
    [{ looks: 9, failing: { ...failing, times: 99 } }, 3_600],
    [{ ...costly, failing }, 5],
    [{ ...costly, failing, looks: 3 }, 40],
  ])('backs off by its failures, or at a costly step by its looks: %j waits for %d seconds', (more, seconds) => {
    expect(delayOf(waiting(more), { failure })).toBe(seconds);
  });

  it('is not paced while the platform does not show what it had: a webhook may say more', () => {
    const missing = { failure: 'VERIFICATION_NOT_FOUND', isMissing: true };
    expect(waitingState(waiting({ failing }), missing, deps)).toMatchObject({
      failing: { times: 4 },
      isPaced: undefined,
    });
    expect(waitingState(waiting(costly), missing, deps).isPaced).toBe(true);
  });

  it('counts the look only at a costly step', () => {
    expect(waitingState(waiting({ looks: 3 }), { failure }, deps).looks).toBe(3);
    expect(waitingState(waiting({ ...costly, looks: 3 }), { failure }, deps).looks).toBe(4);
  });

  it('remembers the first failure, how many there were and the latest', () => {
    const first = waitingState(waiting(), { failure }, deps);
    expect(first.failing).toEqual({ since: at(0).toISOString(), times: 1, why: failure });
    const next = waitingState(waiting({ failing }), { failure }, deps);
    expect(next.failing).toEqual({ since: failing.since, times: 4, why: failure });
  });

  it('is paced until its back-off is over, whether a deadline passes or a create settles before', () => {
    const state = waiting({ failing: { ...failing, times: 9 }, intentOn: at(0).toISOString() });
    const wanted = { dueOn: at(2_560).toISOString(), isPaced: true };
    expect(waitingState(state, { failure }, deps)).toMatchObject(wanted);
    const near = waiting({ failing: { ...failing, times: 9 }, since: at(100 - 2 * day).toISOString() });
    expect(waitingState(near, { failure }, deps)).toMatchObject(wanted);
  });

  it('waits as long as the platform wants, up to a day, and never beyond its whole time', () => {
    expect(delayOf(waiting(), { failure, retryAfter: 7_200_000 })).toBe(7_200);
    expect(delayOf(waiting(), { failure, retryAfter: 9 * day * 1_000 })).toBe(day);
    const last = { now: at(settings.openDays * day - 60) };
    expect(delayOf(waiting({ failing: { ...failing, times: 9 } }), { failure }, last)).toBe(60);
  });

  it('has forgotten the failures after a success, and looks again soon, but not at a step whose call is still to come', () => {
    expect(waitingState(waiting({ failing }), {}, deps).failing).toBeUndefined();
    expect(waitingState(waiting({ ...costly, failing }), {}, deps).failing).toEqual(failing);
    expect(delayOf(waiting({ failing, looks: 9 }))).toBe(5);
  });
});

describe('a create whose answer is not known', () => {
  const intentOn = at(10).toISOString();

  it.each([
    ['a person, not before a call can have ended', {}, 30],
    ['an identification', { naturalPersonId: 'p' }, 100],
  ])('has settled for %s when its time is over, and not before', (_, more, seconds) => {
    const state = onboarding({ intentOn, ...more });
    expect(settledAt(state, shortTimes)).toBe(at(seconds).getTime());
    expect(timeConditions(state, shortTimes, new Date(at(seconds).getTime() - 1)).isSettled).toBe(false);
    expect(timeConditions(state, shortTimes, at(seconds)).isSettled).toBe(true);
  });

  it('has settled when there was none', () => {
    expect(settledAt(onboarding({}), shortTimes)).toBeUndefined();
    expect(timeConditions(onboarding({}), shortTimes, at(0)).isSettled).toBe(true);
  });
});

describe('a step that the platform fails', () => {
  const failing = { since: at(hour).toISOString(), times: 1, why: 'HTTP_500' };
  const isGivenUp = (more: Partial<OnboardingState>, seconds: number) =>
    timeConditions(onboarding({ failing, ...more }), shortTimes, at(seconds)).isGivenUp;

  it('is given up after the hours of the settings, counted from the first failure', () => {
    expect(isGivenUp({ step: 'FINDING_PERSON' }, 13 * hour - 1)).toBe(false);
    expect(isGivenUp({ step: 'FINDING_PERSON' }, 13 * hour)).toBe(true);
  });

  it('is not given up before its deadline, also when it has stalled', () => {
    for (const stalledOn of [undefined, at(24 * hour).toISOString()]) {
      const step = { step: 'AWAITING_VIDEO_CALL', stalledOn } as const;
      expect(isGivenUp(step, 24 * hour - 1)).toBe(false);
      expect(isGivenUp(step, 24 * hour)).toBe(true);
    }
  });

  it('is given up after the hours of the settings when it has no deadline', () => {
    expect(isGivenUp({ step: 'STOPPED' }, 13 * hour)).toBe(true);
  });

  it('is never given up when the platform does not fail it', () => {
    expect(isGivenUp({ step: 'FINDING_PERSON', failing: undefined }, 1_000 * hour)).toBe(false);
  });
});

describe('the time of an onboarding', () => {
  const at100 = { since: at(100).toISOString() };

  it.each<[number, Partial<OnboardingState>, string]>([
    [100 + hour - 1, at100, 'in time'],
    [100 + hour, at100, 'late'],
    // A step that has stalled is late no longer, and a step without a deadline never is.
    [100 + hour, { ...at100, stalledOn: at(hour).toISOString() }, 'in time'],
    [90 * day - 1, { step: 'STOPPED' }, 'in time'],
    [90 * day, { step: 'STOPPED' }, 'over'],
    [90 * day, {}, 'over'],
    [90 * day, { openSince: at(day).toISOString() }, 'late'],
  ])('counts %d seconds of an onboarding with %j as %s', (seconds, more, time) => {
    expect(timeConditions(onboarding({ step: 'FINDING_PERSON', ...more }), shortTimes, at(seconds)).time).toBe(time);
  });

  it('leaves its record for as long as the retention after it is over', () => {
    expect(expiresAt(onboarding({}), shortTimes)).toBe(Math.floor(start / 1_000) + (90 + 400) * day);
  });
});
