import * as z from 'zod/mini';
import { enumWord } from '#shared/platform/fields/fields.ts';

const words = z.array(enumWord).check(z.maxLength(50));

/**
 * What the status of an identification verification means (section 3.2: not shown), by its words in capitals. A status that no list
 * has is unknown: an onboarding waits with it.
 */
export const verificationWords = z.strictObject({
  /** The person is identified. */
  success: z._default(words.check(z.minLength(1)), ['APPROVED']),
  /** The verification has ended without success. A status that contains one of these words between `_` is a failure, too. */
  failure: z._default(words, [
    'FAILED',
    'FAILURE',
    'REJECTED',
    'DECLINED',
    'DENIED',
    'REFUSED',
    'INVALID',
    'ERROR',
    'ABORTED',
    'CANCELED',
    'CANCELLED',
    'EXPIRED',
    'UNSUCCESSFUL',
    'TERMINATED',
    'FRAUD',
  ]),
  /** The verification continues. */
  waiting: z._default(words, ['RECEIVED', 'PENDING']),
});

export type VerificationWords = Readonly<z.output<typeof verificationWords>>;

/** What a status of a verification means for the onboarding that waits for it. */
export type VerificationMeaning = 'success' | 'failure' | 'waiting' | 'unknown';

/** As a setting and a reason name a status: in capitals, with `_` in place of `-` and `.`. */
export function capitalized(status: string): string {
  return status.toUpperCase().replaceAll(/[.-]/g, '_');
}

export function meaningOfVerification(
  status: string,
  { success, failure, waiting }: VerificationWords,
): VerificationMeaning {
  const word = capitalized(status);
  if (success.includes(word)) return 'success';
  if (waiting.includes(word)) return 'waiting';
  if (failure.includes(word)) return 'failure';
  // The status is kept as a reason: anything but a word in capitals could hold personal data.
  const isCode = /^[A-Z][A-Z0-9_]{0,63}$/.test(status);
  return isCode && status.split('_').some((part) => failure.includes(part)) ? 'failure' : 'unknown';
}
