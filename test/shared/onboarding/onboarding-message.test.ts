import { describe, expect, it } from 'vitest';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { readOnboardingMessage, writeOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';

describe('promise 8: a message of the onboarding queue carries ids and no person', () => {
  it('names the onboarding, and nothing else', () => {
    const id = onboardingIdOf('Erika');
    expect(JSON.parse(writeOnboardingMessage(id))).toEqual({ onboardingId: id });
    expect(readOnboardingMessage(writeOnboardingMessage(id))).toEqual({ onboardingId: id });
  });

  it('says when its lease ends, where it is sent for one', () => {
    const [id, lease] = [onboardingIdOf('Erika'), '2026-01-02T03:04:05.678Z'];
    expect(readOnboardingMessage(writeOnboardingMessage(id, lease))).toEqual({ onboardingId: id, lease });
  });

  it('accepts a message of release 0.2.0, as of no lease', () => {
    const [onboardingId, dueOn] = [onboardingIdOf('Erika'), '2026-01-02T03:04:05.678Z'];
    expect(readOnboardingMessage(JSON.stringify({ onboardingId, dueOn }))).toEqual({ onboardingId });
  });

  it.each(['', 'Erika', 'null', '{}', '{"onboardingId": "Erika"}'])('refuses what names none: %j', (text) => {
    expect(() => readOnboardingMessage(text)).toThrow(expect.objectContaining({ code: 'OnboardingMessageError' }));
    expect(() => readOnboardingMessage(text)).not.toThrow('Erika');
  });
});
