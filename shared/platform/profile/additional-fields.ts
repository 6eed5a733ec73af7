import * as z from 'zod/mini';

/** The countries in which a field of an address must be given. */
const requiredIn = z._default(z.array(z.string().check(z.regex(/^[A-Z]{2}$/))), []);
const word = z.string().check(z.regex(/^[A-Z][A-Z0-9_]*$/));
const length = z.int().check(z.positive(), z.maximum(10_000));

/** What a field may hold. */
export const fieldRule = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    minLength: z._default(length, 1),
    maxLength: z._default(length, 255),
    requiredIn,
  }),
  z.strictObject({
    type: z.literal('number'),
    minimum: z.optional(z.number()),
    maximum: z.optional(z.number()),
    requiredIn,
  }),
  z.strictObject({ type: z.literal('boolean'), requiredIn }),
  z.strictObject({ type: z.literal('word'), words: z.array(word).check(z.minLength(1)), requiredIn }),
]);

export type FieldRule = z.output<typeof fieldRule>;

const fieldRules = z.record(z.string().check(z.regex(/^[A-Za-z]\w{0,63}$/)), fieldRule);

export type FieldRules = z.output<typeof fieldRules>;

/** Fields that this environment's platform takes beside those of section 2.4, by their names. */
export const additionalFields = z.strictObject({
  person: z._default(fieldRules, {}),
  address: z._default(fieldRules, { state: { type: 'text', minLength: 1, maxLength: 35, requiredIn: ['CA'] } }),
});

export type AdditionalFields = z.output<typeof additionalFields>;
