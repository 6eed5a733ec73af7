import type * as z from 'zod/mini';

export type Parsed<Output> =
  | { readonly success: true; readonly data: Output }
  | { readonly success: false; readonly error: Pick<z.core.$ZodError, 'issues'> };

/**
 * Parses a value of any size as `safeParse` does. A value with too many problems to list has one, of the value as a whole.
 *
 * zod passes the problems of a list on as the arguments of one call. Beyond some 125,000 the call overflows the stack.
 */
export function parseUntrusted<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  context?: z.core.ParseContext<z.core.$ZodIssue>,
): Parsed<z.output<Schema>> {
  try {
    return schema.safeParse(value, context);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = 'has too many problems';
    return { success: false, error: { issues: [{ code: 'custom', path: [], message, input: undefined }] } };
  }
}
