import * as z from 'zod/mini';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { parseJson } from '#shared/parse-json.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';

/**
 * In milliseconds: for how long a due onboarding belongs to the message that was sent for it. It is the visibility timeout of the
 * onboarding queue. If nothing came of the message by then, the onboarding is due again.
 */
export const leaseMs = 720_000;

/** When a lease that begins now ends. */
export function endOfLease(now: Date): string {
  return new Date(now.getTime() + leaseMs).toISOString();
}

/** A message of the onboarding queue: the onboarding that is due, and nothing of its person. */
const message = z.object({
  onboardingId: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /**
   * When the lease ends for which the message was sent. Only a message of a lease has one, and release 0.2.0 sent `dueOn` instead,
   * which has no meaning any more.
   */
  lease: z.optional(timestamp),
});

export type OnboardingMessage = Readonly<z.output<typeof message>>;

/** @param lease when it ends; only of a message that is sent for a lease */
export function writeOnboardingMessage(onboardingId: string, lease?: string): string {
  return JSON.stringify({ onboardingId, lease });
}

/** @throws `OnboardingMessageError` */
export function readOnboardingMessage(text: string): OnboardingMessage {
  const result = message.safeParse(parseJson(text));
  if (result.success) return result.data;
  throw new DrawbridgeError(
    'OnboardingMessageError',
    'A message names no onboarding: it moves to the DLQ. Find out what sent it.',
  );
}
