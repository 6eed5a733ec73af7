import * as z from 'zod';
import { refusedField } from './refused-error.ts';
import { firstAbove } from './sorted.ts';

/** The default page size of list operations (section 8). A maximum is not shown: this platform refuses no pageSize that a deployment accepts. */
export const defaultLimit = 20;

/** The query of a list (section 4). */
export const pageQuery = {
  cursor: z.string().optional().describe('The cursor of the previous page'),
  limit: z.coerce.number().int().min(1).default(defaultLimit).describe('Maximum number of items on a page (section 8)'),
};

/** Pagination (section 2.3). The last page has an empty cursor. */
export const pagination = z.strictObject({ cursor: z.string(), limit: z.int() }).meta({ id: 'Pagination' });

export type PageQuery = { readonly cursor?: string | undefined; readonly limit: number };

export type Page<Item> = {
  readonly data: Item[];
  readonly pagination: z.infer<typeof pagination>;
};

/**
 * One page of a list whose items have keys that ascend. A walk over the pages returns each lasting item once, even if
 * others are added or removed meanwhile.
 *
 * @param list the name of the list: a cursor of another list is rejected
 * @param isListed whether an item belongs to the list; called only up to the end of the page
 * @throws {RefusedError} for a cursor of another list
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

/** A position in a list. It names the list, so that other lists reject it. Clients must treat it as opaque. */
export function writeCursor(list: string, ...place: readonly number[]): string {
  return Buffer.from(JSON.stringify([list, ...place])).toString('base64url');
}

const cursorContent = z.tuple([z.string(), z.number()], z.number());

/**
 * Reads the position from a cursor. Undefined for the first page, without a cursor or with an empty one.
 *
 * @throws {RefusedError} for a cursor of another list
 */
export function readCursor(list: string, cursor: string | undefined): readonly number[] | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const { data } = cursorContent.safeParse(parse(Buffer.from(cursor, 'base64url').toString()));
  const [writtenFor, ...place] = data ?? [];
  // The Base64 decoder is lenient: a cursor must be exactly the text that was written.
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
