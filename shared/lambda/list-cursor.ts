import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { parseJson } from '#shared/parse-json.ts';

/** Where a row is in a list: its time, and its id among those of the same time. */
export type ListPosition = { readonly at: string; readonly id: string };

const time = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T[\d:.Z+-]{1,30}$/));
const cursor = z.strictObject({ at: time, id: z.string().check(z.minLength(1), z.maxLength(512)), of: z.string() });

/**
 * The position after which the next page begins, as a text without a meaning for the caller.
 *
 * @param list names the list and what it is filtered by
 */
export function writeCursor({ at, id }: ListPosition, list: string): string {
  const value: z.infer<typeof cursor> = { at, id, of: digestOf(list) };
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Undefined where the text is no cursor of this list. */
export function readCursor(text: string, list: string): ListPosition | undefined {
  const value = cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  if (!value.success || value.data.of !== digestOf(list)) return undefined;
  const { at, id } = value.data;
  return { at, id };
}

function digestOf(list: string): string {
  return createHash('sha256').update(list).digest('hex').slice(0, 16);
}
