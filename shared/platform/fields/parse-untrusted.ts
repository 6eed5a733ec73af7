import type * as z from 'zod/mini';

/** Where a schema has no message of its own. Otherwise a locale of the process would decide what the caller reads. */
export const ownMessages = { error: () => 'is missing or malformed' };

/** In characters: a double keeps every number that is not longer. */
export const alwaysExact = 15;

const longNumber = /[\d.]{16}/;

/**
 * Parses JSON so that no digit is lost: a number that a double cannot hold, and a whole number beyond 2^53, is the text of its digits.
 * An id may be such a number. A text that is nested too deep for that is parsed as JSON.parse does.
 *
 * @throws {SyntaxError} if the text is not JSON
 */
export function parseExactJson(text: string): unknown {
  // A reviver takes several times as long as the parser.
  if (!longNumber.test(text)) return JSON.parse(text);
  try {
    return JSON.parse(text, keepDigits);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.parse(text);
  }
}

/** The types of TypeScript do not know the third argument of a reviver yet. */
function keepDigits(...[, value, context]: readonly unknown[]): unknown {
  if (typeof value !== 'number') return value;
  const source = sourceOf(context);
  return source === undefined || isKept(source, value) ? value : source;
}

function sourceOf(context: unknown): string | undefined {
  if (typeof context !== 'object' || context === null || !('source' in context)) return undefined;
  return typeof context.source === 'string' ? context.source : undefined;
}

function isKept(source: string, value: number): boolean {
  if (source.length <= alwaysExact) return true;
  return String(value) === source && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

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
