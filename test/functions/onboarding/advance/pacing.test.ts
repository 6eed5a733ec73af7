import { describe, expect, it } from 'vitest';
import { isForAdvance } from '#functions/onboarding/advance/advance.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { newOnboarding, type OnboardingState } from '#shared/onboarding/onboarding-state.ts';

const now = new Date('2026-01-02T03:04:05.678Z');
const [before, later] = ['2026-01-02T03:00:00.000Z', '2026-01-02T04:00:00.000Z'];

function isTaken(state: Partial<OnboardingState>, lease?: string): boolean {
  const whole = { ...newOnboarding('none', before), step: 'AWAITING_CHECKS', ...state } as const;
  return isForAdvance({ onboardingId: onboardingIdOf('a'), lease }, whole, now);
}

describe('a message of a lease', () => {
  it.each([true, undefined])('makes the onboarding advance while dueOn is that lease, with isPaced %s', (isPaced) => {
    expect(isTaken({ dueOn: later, isPaced }, later)).toBe(true);
    expect(isTaken({ dueOn: before, isPaced }, before)).toBe(true);
  });

  it.each([later, before, undefined])('changes nothing once the onboarding is due at another time: %s', (dueOn) => {
    expect(isTaken({ dueOn }, '2026-01-02T03:30:00.000Z')).toBe(false);
  });
});

describe('a message from elsewhere, as for a webhook', () => {
  it('makes the onboarding advance at once', () => {
    expect(isTaken({ dueOn: later })).toBe(true);
  });

  it('changes nothing while the onboarding is paced, until it is due', () => {
    expect(isTaken({ dueOn: later, isPaced: true })).toBe(false);
    expect(isTaken({ dueOn: before, isPaced: true })).toBe(true);
  });
});

describe('an onboarding that has ended', () => {
  it('takes every message, so that its events are published', () => {
    expect(isTaken({ step: 'COMPLETED', dueOn: later, isPaced: true })).toBe(true);
    expect(isTaken({ step: 'COMPLETED', dueOn: undefined }, before)).toBe(true);
  });
});
