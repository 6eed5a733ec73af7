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
 * @param isListed whether an item belongs to the list; asked no further than the page goes
 * @throws {RefusedError} for a cursor that is none of this list
 */
export function pageOf<Item>(
  list: string,
  items: readonly Item[],
  keyOf: (item: Item) => number,
  { cursor, limit }: PageQuery,
  isListed: (item: Item) => boolean = () => true,
): Page<Item> {
  const [key] = readCursor(list, cursor) ?? [];
  const start = key === undefined ? 0 : firstAbove(items, keyOf, key);
  const found = someFrom(items, start, limit + 1, isListed);
  const data = found.slice(0, limit);
  const last = data.at(-1);
  const isLast = last === undefined || found.length <= limit;
  return { data, pagination: { cursor: isLast ? '' : writeCursor(list, keyOf(last)), limit } };
}

function someFrom<Item>(
  items: readonly Item[],
  start: number,
  most: number,
  isListed: (item: Item) => boolean,
): readonly Item[] {
  const found: Item[] = [];
  for (let index = start; index < items.length && found.length < most; index += 1) {
    const item = items[index];
    if (item !== undefined && isListed(item)) found.push(item);
  }
  return found;
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
