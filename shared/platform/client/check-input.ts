import type * as z from 'zod/mini';
import { pathSegment } from '#shared/platform/fields/fields.ts';
import { ownMessages } from '#shared/platform/fields/parse-untrusted.ts';
import { PlatformInputError } from './errors.ts';

/**
 * Checks what is about to be sent.
 *
 * @param section where the specification lists the fields
 * @param field what the input is, where it is no body but a single value
 * @throws {PlatformInputError} naming each field that is wrong, the rule and the section; never a value
 */
export function checkInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  { operation, section, field }: { readonly operation: string; readonly section: string; readonly field?: string },
): z.output<Schema> {
  const result = schema.safeParse(input, ownMessages);
  if (result.success) return result.data;
  throw new PlatformInputError(
    operation,
    result.error.issues.flatMap((issue) => describe(issue, section, field)),
  );
}

/**
 * An id as a part of a path, encoded (section 4).
 *
 * @throws {PlatformInputError} where it cannot be one
 */
export function checkSegment(operation: string, field: string, id: string): string {
  return encodeURIComponent(checkInput(pathSegment, id, { operation, section: '4', field }));
}

function describe(issue: z.core.$ZodIssue, section: string, field = 'the body'): readonly string[] {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const place = path === '' ? '' : `${path}.`;
    return issue.keys.map((key) => `${place}${key}: cannot be written (section ${section})`);
  }
  const where = issue.message.includes('(section') ? '' : ` (section ${section})`;
  return [`${path || field}: ${issue.message}${where}`];
}
