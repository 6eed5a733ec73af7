import * as z from 'zod/mini';
import { platformUrl } from '#shared/platform/fields/fields.ts';
import { ownMessages } from '#shared/platform/fields/parse-untrusted.ts';

export const anyFunction = z.custom((value) => typeof value === 'function', { error: 'must be a function' });

/** An address, to which a slash at its end makes no difference. */
export const urlOption = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text: string) => text.replace(/\/$/, '')),
  ),
  platformUrl,
);

/**
 * A caller in JavaScript, or one whose types were cast away, learns the cause at the start and not at the first call.
 *
 * @param expectation says what the function expects
 * @throws {TypeError} that names each option that differs, and no value
 */
export function checkOptions<Schema extends z.ZodMiniType>(
  schema: Schema,
  options: unknown,
  expectation: string,
): z.output<Schema> {
  const result = schema.safeParse(options, ownMessages);
  if (result.success) return result.data;
  throw new TypeError(`${expectation} Fix ${result.error.issues.flatMap(describe).join('; ')}.`);
}

function describe(issue: z.core.$ZodIssue): readonly string[] {
  const path = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return [`${path || 'the options'}: ${issue.message}`];
  return issue.keys.map((key) => `${path}.${key}: does not exist`);
}
