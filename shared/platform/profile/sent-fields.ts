import * as z from 'zod/mini';

const length = z.int().check(z.positive(), z.maximum(10_000));

const lengths = z.strictObject({ minLength: z.optional(length), maxLength: z.optional(length) });

/** What a platform requires of sent fields, and the specification does not state. Nothing of it is checked unless it is set. */
export const sentFields = z.strictObject({
  /** In characters: of every text of a person and of an identification. */
  maxTextLength: z.optional(length),
  zip: z.optional(lengths),
  phone: z.optional(lengths),
  /** Whether a word of an enum must be in capitals. */
  hasCapitalEnums: z.optional(z.boolean()),
  /** Whether names and values of a webhook's headers must be printable ASCII. */
  hasAsciiHeaders: z.optional(z.boolean()),
});

export type SentFields = Readonly<z.output<typeof sentFields>>;
