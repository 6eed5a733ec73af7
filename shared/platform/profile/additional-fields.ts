import * as z from 'zod/mini';
import { amount, flag, words } from '#shared/platform/fields/fields.ts';

/** The problem of a field that no setting allows. */
export const notAllowed =
  'is not a field. If the platform takes it, allow it with platformProfile.additionalFields in the settings file';

/** Refuses each field that neither the shape nor a rule allows, and checks the others by their rules. */
export function allowFields(shape: Readonly<Record<string, unknown>>, rules: FieldRules) {
  return z.superRefine<Readonly<Record<string, unknown>>>(
    (value, context) => {
      for (const key of Object.keys(value).filter((name) => !Object.hasOwn(shape, name))) {
        const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
        if (rule === undefined)
          context.addIssue({ code: 'unrecognized_keys', keys: [key], message: notAllowed, input: {} });
        else refuseValue(schemaOf(rule).safeParse(value[key]).error, key, context);
      }
      for (const [key, rule] of Object.entries(rules))
        if (value[key] === undefined && rule.requiredIn.some((country) => country === value['country']))
          refuse(context, key, `must be given where the country is ${rule.requiredIn.join(', ')}`);
    },
    // Checked together with every other problem.
    { when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value) },
  );
}

type Context = Parameters<Parameters<typeof z.superRefine>[0]>[1];

function refuseValue(error: z.core.$ZodError | undefined, key: string, context: Context): void {
  const [issue] = error?.issues ?? [];
  if (issue !== undefined) refuse(context, key, issue.message);
}

function refuse(context: Context, key: string, message: string): void {
  context.addIssue({ code: 'custom', path: [key], message, input: undefined });
}

function schemaOf(rule: FieldRule): z.ZodMiniType {
  switch (rule.type) {
    case 'text':
      return words(rule.maxLength).check(z.minLength(rule.minLength, `must have ${rule.minLength} characters or more`));
    case 'number':
      return amount.check(
        z.minimum(rule.minimum ?? -Number.MAX_VALUE, `must be ${rule.minimum} or more`),
        z.maximum(rule.maximum ?? Number.MAX_VALUE, `must be ${rule.maximum} or less`),
      );
    case 'boolean':
      return flag;
    case 'word':
      return z.enum(rule.words, { error: `must be one of ${rule.words.join(', ')}` });
  }
}

/** The countries in which a field of an address must be given. */
const requiredIn = z._default(z.array(z.string().check(z.regex(/^[A-Z]{2}$/))), []);
const wordName = z.string().check(z.regex(/^[A-Z][A-Z0-9_]*$/));
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
  z.strictObject({ type: z.literal('word'), words: z.array(wordName).check(z.minLength(1)), requiredIn }),
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
