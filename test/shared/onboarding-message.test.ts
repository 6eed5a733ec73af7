import { describe, expect, it } from 'vitest';
import { onboardingIdOf } from '#shared/onboarding-keys.ts';
import { OnboardingMessageError, readOnboardingMessage, writeOnboardingMessage } from '#shared/onboarding-message.ts';

describe('issue 6: messages on our own queues carry ids, not persons', () => {
  it('names the onboarding, and nothing else', () => {
    const id = onboardingIdOf('Erika');
    expect(JSON.parse(writeOnboardingMessage(id))).toEqual({ onboardingId: id });
    expect(readOnboardingMessage(writeOnboardingMessage(id))).toBe(id);
  });

  it.each(['', 'Erika', 'null', '{}', '{"onboardingId": "Erika"}'])('refuses what names none: %j', (text) => {
    expect(() => readOnboardingMessage(text)).toThrow(OnboardingMessageError);
    expect(() => readOnboardingMessage(text)).not.toThrow('Erika');
  });
});
