import { expect, it } from 'vitest';
import { historyWords, inWords } from '#console/pages/history-words.ts';
import { type InputType, onboardingTransitions } from '#functions/onboarding/state-machine/transitions.ts';

it('has words for everything that can happen to an onboarding', () => {
  const words: Readonly<Record<InputType, string>> = historyWords;
  for (const { on } of onboardingTransitions) expect(inWords(on)).toBe(words[on]);
});

it('keeps what is no name, such as the error of a failed call', () => {
  expect(inWords('call failed, CallRefused, HttpError')).toBe('call failed, the platform refused the call, HttpError');
});
