import * as z from 'zod/mini';
import { enumWord } from '#shared/platform/fields/fields.ts';

const words = z.array(enumWord).check(z.maxLength(50));

/**
 * The words of an environment for the statuses of a verification (section 3.2: not shown), in capitals. Each list replaces that of
 * {@link usualVerificationWords}. A status that no list has is unknown: an onboarding waits with it.
 */
export const verificationWords = z.strictObject({
  /** The person is identified. */
  success: z.optional(words.check(z.minLength(1))),
  /** The verification has ended without success. A status that has one of these words between `_` is a failure, too. */
  failure: z.optional(words),
  /** The verification continues. */
  waiting: z.optional(words),
});

export type VerificationWords = {
  readonly [List in keyof z.output<typeof verificationWords>]-?: readonly string[];
};

/** The words that were seen, and words for failure that are likely. Not in the profile: it has little room in a variable. */
export const usualVerificationWords: VerificationWords = {
  success: ['APPROVED'],
  failure: [
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
  ],
  waiting: ['RECEIVED', 'PENDING'],
};

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
