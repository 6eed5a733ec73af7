import { describe, expect, it } from 'vitest';
import { expiresAt, factsOf } from '#functions/onboarding/facts.ts';
import { type Waiting, type WaitingDeps, waitingState } from '#functions/onboarding/waiting.ts';
import { onboardingSettings } from '#shared/onboarding-settings.ts';
import { newOnboarding, type OnboardingState } from '#shared/onboarding-state.ts';

const start = Date.parse('2026-01-02T03:04:05.678Z');
const at = (seconds: number) => new Date(start + seconds * 1_000);
const settings = onboardingSettings.parse({});
const day = 86_400;

function waiting(more: Partial<OnboardingState> = {}): OnboardingState {
  return { ...newOnboarding('video', at(0).toISOString()), step: 'AWAITING_CHECKS', ...more };
}

/** Without jitter. */
const deps = { settings, now: at(0), random: () => 0 };

/** In seconds: after how long it is looked at. */
function delayOf(state: OnboardingState, how: Waiting = {}, { now, ...more }: Partial<WaitingDeps> = {}): number {
  const time = now ?? at(0);
  return (Date.parse(waitingState(state, how, { ...deps, ...more, now: time }).dueOn) - time.getTime()) / 1_000;
}

describe('design, onboarding: what waits is looked at, whatever webhooks come', () => {
  it.each([
    [0, 5],
    [1, 10],
    [5, 160],
    [9, 2_560],
    [10, 3_600],
    [1_000, 3_600],
  ])('after %d looks it is looked at in %d seconds', (looks, seconds) => {
    expect(delayOf(waiting({ looks }))).toBe(seconds);
    expect(waitingState(waiting({ looks }), {}, deps).looks).toBe(looks + 1);
  });

  it('no sooner than the platform wants', () => {
    expect(delayOf(waiting(), { retryAfter: 120_000 })).toBe(120);
  });

  it('when a create has settled, and when the deadline passes', () => {
    const naturalPersonId = 'person';
    expect(delayOf(waiting({ looks: 9, naturalPersonId, intentOn: at(0).toISOString() }))).toBe(60);
    expect(delayOf(waiting({ looks: 9 }), {}, { now: at(2 * day - 100) })).toBe(100);
    expect(delayOf(waiting({ looks: 9, stalledOn: at(0).toISOString() }), {}, { now: at(2 * day - 100) })).toBe(2_560);
  });

  it('where somebody must do something first, when its time is over', () => {
    expect(delayOf(waiting({ step: 'STOPPED' }))).toBe(settings.openDays * day);
  });

  it('a search goes on at once, from where it is; otherwise the next begins anew', () => {
    expect(waitingState(waiting({ cursor: 'next' }), { isSearching: true }, deps)).toMatchObject({
      cursor: 'next',
      looks: 0,
      dueOn: at(1).toISOString(),
    });
    expect(waitingState(waiting({ cursor: 'next' }), {}, deps).cursor).toBeUndefined();
  });
});

describe('issue 6: deadlines per step', () => {
  it.each([
    [2 * day - 1, {}, 'in time'],
    [2 * day, {}, 'late'],
    [2 * day, { stalledOn: at(2 * day).toISOString() }, 'in time'],
    [2 * day, { step: 'STOPPED' as const }, 'in time'],
    [settings.openDays * day, { step: 'STOPPED' as const }, 'over'],
    [settings.openDays * day, { openSince: at(day).toISOString() }, 'late'],
  ])('after %d seconds, of one %j, it is %s', (seconds, more, time) => {
    expect(factsOf(waiting(more), settings, at(seconds)).time).toBe(time);
  });

  it('its record goes after its time and the retention', () => {
    expect(expiresAt(waiting(), settings)).toBe(Math.floor(start / 1_000) + (90 + 400) * day);
  });
});

describe('section 3.2: words for failure are not shown', () => {
  it.each([
    ['FAILED', true],
    ['IDENT_FAILED', true],
    ['REJECTED_BY_AGENT', true],
    ['APPROVED', false],
    ['PENDING', false],
    ['ON_HOLD', false],
    ['UNFAILED', false],
    ['Erika_FAILED', false],
    ['', false],
  ])('%s: %s', (status, isFailure) => {
    expect(factsOf(waiting(), settings, at(0)).isFailure(status)).toBe(isFailure);
  });

  it('an environment has words of its own', () => {
    const own = onboardingSettings.parse({ failureWords: ['KO'] });
    const { isFailure } = factsOf(waiting(), own, at(0));
    expect([isFailure('IDENT_KO'), isFailure('FAILED')]).toEqual([true, false]);
  });
});
