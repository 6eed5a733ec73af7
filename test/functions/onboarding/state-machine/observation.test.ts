import { describe, expect, it } from 'vitest';
import { expiresAt, settledAt, timeConditions } from '#functions/onboarding/state-machine/observation.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { newOnboarding, type OnboardingState } from '#shared/onboarding/onboarding-state.ts';

const start = Date.parse('2026-01-02T03:04:05.678Z');
const at = (seconds: number) => new Date(start + seconds * 1_000);
const hour = 3_600;
const day = 24 * hour;
const settings = onboardingSettings.parse({
  settle: { person: 7, identification: 90 },
  stopAfterHours: 12,
  deadlines: { FINDING_PERSON: hour, AWAITING_VIDEO_CALL: 24 * hour },
});

function onboarding(more: Partial<OnboardingState>): OnboardingState {
  return { ...newOnboarding('video', at(0).toISOString()), ...more };
}

describe('a create whose answer is not known', () => {
  const intentOn = at(10).toISOString();

  it.each([
    ['a person', {}, 17],
    ['an identification', { naturalPersonId: 'p' }, 100],
  ])('has settled for %s when its time is over, and not before', (_, more, seconds) => {
    const state = onboarding({ intentOn, ...more });
    expect(settledAt(state, settings)).toBe(at(seconds).getTime());
    expect(timeConditions(state, settings, new Date(at(seconds).getTime() - 1)).isSettled).toBe(false);
    expect(timeConditions(state, settings, at(seconds)).isSettled).toBe(true);
  });

  it('has settled when there was none', () => {
    expect(settledAt(onboarding({}), settings)).toBeUndefined();
    expect(timeConditions(onboarding({}), settings, at(0)).isSettled).toBe(true);
  });
});

describe('a step that the platform fails', () => {
  const failing = { since: at(hour).toISOString(), times: 1, why: 'HTTP_500' };
  const isGivenUp = (more: Partial<OnboardingState>, seconds: number) =>
    timeConditions(onboarding({ failing, ...more }), settings, at(seconds)).isGivenUp;

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
  ])('after %d seconds, of one %j, is %s', (seconds, more, time) => {
    expect(timeConditions(onboarding({ step: 'FINDING_PERSON', ...more }), settings, at(seconds)).time).toBe(time);
  });

  it('leaves its record for as long as the retention after it is over', () => {
    expect(expiresAt(onboarding({}), settings)).toBe(Math.floor(start / 1_000) + (90 + 400) * day);
  });
});
