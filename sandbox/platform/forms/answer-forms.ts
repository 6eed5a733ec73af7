import * as z from 'zod';
import { maxItems } from '#sandbox/platform/core/page.ts';

/** One of some forms; the first is that of the specification. */
function oneOf<const Form extends string>(specified: Form, ...others: readonly Form[]) {
  return z.enum([specified, ...others]).default(specified);
}

/**
 * How the platform writes what the specification does not show, or what another platform may write otherwise: in answers and in the
 * notifications that it sends by itself. What it accepts is the same in all forms.
 */
export const answerForms = z.strictObject({
  /** A code in `errorDetails[].errors[].code` alone, or title and detail (RFC 9457). */
  errors: oneOf('SPECIFIED', 'NESTED', 'PROBLEM'),
  /** The local time of `times.zone` of the profile, without a zone, and without seconds; or a number in `times.unit`. */
  times: oneOf('UTC', 'LOCAL', 'LOCAL_MINUTES', 'NUMBERS'),
  /** Whether the `verifiedOn` of a person that is not verified yet is an empty text. */
  emptyTimes: z.boolean().default(false),
  /** Numbers, `expires_in` among them. */
  numbers: oneOf('NUMBERS', 'TEXTS'),
  booleans: oneOf('BOOLEANS', 'TEXTS'),
  /** Statuses: words, or objects with `code` and `name`. */
  statuses: oneOf('WORDS', 'OBJECTS'),
  /** The id of what a create answers: by its own name, or as `id`. */
  createdIds: oneOf('NAMED', 'ID'),
  /** Whether an answer with 202 has the text `Accepted`. */
  acceptedText: z.boolean().default(false),
  /** Whether the answer of the token service has `token_type`. */
  tokenType: z.boolean().default(true),
  missingWebhooks: oneOf('OBJECTS', 'TEXTS', 'PAGE'),
  cursors: oneOf('TEXTS', 'NUMBERS'),
  /** The cursor of the last page. */
  lastCursor: oneOf('EMPTY', 'NULL', 'ABSENT'),
  /** Items of a page at most: a page has no more where a greater limit is asked for. */
  pageSize: z.int().min(1).max(maxItems).default(maxItems),
});

export type AnswerForms = Readonly<z.infer<typeof answerForms>>;
