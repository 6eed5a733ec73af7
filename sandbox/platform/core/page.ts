import * as z from 'zod';
import { refusedField } from './refused-error.ts';
import { firstAbove } from './sorted.ts';

/** The default page size of list operations (section 8). The maximum is not shown; this platform's is 1,000. */
const defaultLimit = 20;
const mostItems = 1_000;

/** The query of a list (section 4). */
export const pageQuery = {
  cursor: z.string().optional().describe('The cursor of the page before'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(mostItems)
    .default(defaultLimit)
    .describe('Items on a page at the most (section 8)'),
};

/** Pagination (section 2.3). An empty cursor is the last page's. */
export const pagination = z.strictObject({ cursor: z.string(), limit: z.int() }).meta({ id: 'Pagination' });

export type PageQuery = { readonly cursor?: string | undefined; readonly limit: number };

export type Page<Item> = {
  readonly data: Item[];
  readonly pagination: z.infer<typeof pagination>;
};

/**
 * One page of a list whose items have keys that ascend. A walk over the pages sees each item once, whatever is added or
 * removed meanwhile.
 *
 * @param list names the list: a cursor of another list is refused
 * @throws {RefusedError} for a cursor that is none of this list
 */
export function pageOf<Item>(
  list: string,
  items: readonly Item[],
  keyOf: (item: Item) => number,
  { cursor, limit }: PageQuery,
): Page<Item> {
  const [key] = readCursor(list, cursor) ?? [];
  const start = key === undefined ? 0 : firstAbove(items, keyOf, key);
  const data = items.slice(start, start + limit);
  const last = data.at(-1);
  const isLast = last === undefined || start + limit >= items.length;
  return { data, pagination: { cursor: isLast ? '' : writeCursor(list, keyOf(last)), limit } };
}

/** A place in a list. It names its list, so that no other takes it; a client is not to look into it. */
export function writeCursor(list: string, ...place: readonly number[]): string {
  return Buffer.from(JSON.stringify([list, ...place])).toString('base64url');
}

const cursorContent = z.tuple([z.string(), z.number()], z.number());

/**
 * The place that a cursor was written for; undefined where a walk begins, without a cursor or with an empty one.
 *
 * @throws {RefusedError} for a cursor that is none of this list
 */
export function readCursor(list: string, cursor: string | undefined): readonly number[] | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const { data } = cursorContent.safeParse(parse(Buffer.from(cursor, 'base64url').toString()));
  const [writtenFor, ...place] = data ?? [];
  // Base64 is read leniently: a cursor must be the very text that was written.
  if (writtenFor !== list || writeCursor(list, ...place) !== cursor)
    throw refusedField('cursor', 'is none of this list.');
  return place;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
