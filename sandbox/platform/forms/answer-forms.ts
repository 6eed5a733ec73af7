import * as z from 'zod';

/** One of some forms; the first is that of the specification. */
function oneOf<const Form extends string>(specified: Form, ...others: readonly Form[]) {
  return z.enum([specified, ...others]).default(specified);
}

/**
 * How the platform writes what the specification does not show, or what another platform may write otherwise: in answers and in the
 * notifications that it sends by itself. What it accepts is the same in all forms.
 */
export const answerForms = z.strictObject({
  errors: oneOf('SPECIFIED', 'NESTED', 'PROBLEM').describe(
    'Error bodies: as in section 7, with the code only in `errorDetails[].errors[].code`, or with `title` and `detail` (RFC 9457)',
  ),
  times: oneOf('UTC', 'LOCAL', 'LOCAL_MINUTES', 'NUMBERS').describe(
    'Times: local ones are those of `times.zone` of the profile (or UTC) without a zone, `LOCAL_MINUTES` without seconds; numbers count `times.unit` (or seconds)',
  ),
  emptyTimes: z
    .boolean()
    .default(false)
    .describe('Whether `verifiedOn` of a person that is not verified is an empty text'),
  numbers: oneOf('NUMBERS', 'TEXTS').describe('Numbers, `expires_in` among them'),
  booleans: oneOf('BOOLEANS', 'TEXTS').describe('Truth values'),
  statuses: oneOf('WORDS', 'OBJECTS').describe('Statuses: an object has `code` and `name`'),
  createdIds: oneOf('NAMED', 'ID').describe('The id of what was created: by its own name, or as `id`'),
  acceptedText: z.boolean().default(false).describe('Whether an answer with 202 has the text `Accepted`'),
  tokenType: z.boolean().default(true).describe('Whether the answer of the token service has `token_type`'),
  missingWebhooks: oneOf('OBJECTS', 'TEXTS', 'PAGE').describe(
    'The event types without a webhook: a list of objects, a list of texts, or a page of texts',
  ),
  cursors: oneOf('TEXTS', 'NUMBERS').describe('Cursors'),
  lastCursor: oneOf('EMPTY', 'NULL', 'ABSENT').describe('The cursor of the last page'),
  pageSize: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('Items of a page at most: of a greater limit, a page has so many; null: as many as the limit says'),
});

export type AnswerForms = Readonly<z.infer<typeof answerForms>>;
