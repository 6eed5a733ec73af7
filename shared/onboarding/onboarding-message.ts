import * as z from 'zod/mini';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { parseJson } from '#shared/parse-json.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';

/** A message of the onboarding queue: the onboarding that is due, and nothing of its person. */
const message = z.object({
  onboardingId: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /**
   * When the onboarding is due, where it has sent the message itself. SQS delays a message by 15 minutes at most, so such
   * a message comes early and is sent again. A message without it comes from elsewhere, as for a webhook.
   */
  dueOn: z.optional(timestamp),
});

export type OnboardingMessage = Readonly<z.output<typeof message>>;

/** A message of the onboarding queue names no onboarding. */
export class OnboardingMessageError extends DrawbridgeError {
  override readonly name = 'OnboardingMessageError';
}

/** @param dueOn only of a wake that the onboarding asks for itself */
export function writeOnboardingMessage(onboardingId: string, dueOn?: string): string {
  return JSON.stringify({ onboardingId, dueOn });
}

/** @throws {OnboardingMessageError} */
export function readOnboardingMessage(text: string): OnboardingMessage {
  const result = message.safeParse(parseJson(text));
  if (result.success) return result.data;
  throw new OnboardingMessageError('A message names no onboarding: it moves to the DLQ. Find out what sent it.');
}
