import { describe, expect, it } from 'vitest';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import {
  OnboardingMessageError,
  readOnboardingMessage,
  writeOnboardingMessage,
} from '#shared/onboarding/onboarding-message.ts';

describe('promise 8: a message of the onboarding queue carries ids and no person', () => {
  it('names the onboarding, and nothing else', () => {
    const id = onboardingIdOf('Erika');
    expect(JSON.parse(writeOnboardingMessage(id))).toEqual({ onboardingId: id });
    expect(readOnboardingMessage(writeOnboardingMessage(id))).toEqual({ onboardingId: id });
  });

  it('says when the onboarding is due, in a wake that it asks for itself', () => {
    const [id, dueOn] = [onboardingIdOf('Erika'), '2026-01-02T03:04:05.678Z'];
    expect(readOnboardingMessage(writeOnboardingMessage(id, dueOn))).toEqual({ onboardingId: id, dueOn });
  });

  it.each(['', 'Erika', 'null', '{}', '{"onboardingId": "Erika"}'])('refuses what names none: %j', (text) => {
    expect(() => readOnboardingMessage(text)).toThrow(OnboardingMessageError);
    expect(() => readOnboardingMessage(text)).not.toThrow('Erika');
  });
});
