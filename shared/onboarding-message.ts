import * as z from 'zod/mini';
import { DrawbridgeError } from './drawbridge-error.ts';

/** A message of the onboarding queue: the onboarding that is to be looked at, and nothing of its person. */
const message = z.object({ onboardingId: z.string().check(z.regex(/^[0-9a-f]{64}$/)) });

/** A message of the onboarding queue names no onboarding. */
export class OnboardingMessageError extends DrawbridgeError {
  override readonly name = 'OnboardingMessageError';
}

export function writeOnboardingMessage(onboardingId: string): string {
  return JSON.stringify({ onboardingId });
}

/** @throws {OnboardingMessageError} */
export function readOnboardingMessage(text: string): string {
  const result = message.safeParse(parse(text));
  if (result.success) return result.data.onboardingId;
  throw new OnboardingMessageError('A message names no onboarding: it moves to the DLQ. Look at who sent it.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
