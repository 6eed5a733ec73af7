import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { parseJson } from '#shared/parse-json.ts';
import type { Position } from './merge-lanes.ts';

const time = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/));
const cursor = z.strictObject({ at: time, id: z.string().check(z.minLength(1), z.maxLength(512)), of: z.string() });

/** Which list a cursor belongs to: its name, and what it was filtered by. */
export type ListIdentity = Readonly<Record<string, string | undefined>>;

/** The position after which the next page begins, as a text without a meaning for the caller. */
export function writeCursor({ at, id }: Position, list: ListIdentity): string {
  const value: z.infer<typeof cursor> = { at, id, of: digestOf(list) };
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Undefined where the text is no cursor of this list. */
export function readCursor(text: string, list: ListIdentity): Position | undefined {
  const value = cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  if (!value.success || value.data.of !== digestOf(list)) return undefined;
  const { at, id } = value.data;
  return { at, id };
}

function digestOf(list: ListIdentity): string {
  const given = Object.entries(list)
    .filter(([, value]) => value !== undefined)
    .toSorted();
  return createHash('sha256').update(JSON.stringify(given)).digest('hex').slice(0, 16);
}
