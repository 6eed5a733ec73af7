import * as z from 'zod';
import { refusedField } from './refused-error.ts';

/** The default page size of list operations (section 8). The maximum is not shown; this platform's is 1,000. */
const defaultLimit = 20;
const mostItems = 1_000;

/** The query of a list (section 4). */
export const pageQuery = {
  cursor: z.string().optional().describe('The cursor of the page before'),
  limit: z.coerce.number().int().min(1).max(mostItems).default(defaultLimit),
};

/** Pagination (section 2.3). An empty cursor is the last page's. */
export const pagination = z.strictObject({ cursor: z.string(), limit: z.int() }).meta({ id: 'Pagination' });

export type PageQuery = { readonly cursor?: string | undefined; readonly limit: number };

export type Page<Item> = {
  readonly data: Item[];
  readonly pagination: z.infer<typeof pagination>;
};

/**
 * One page of a list whose items have keys that ascend.
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
  const start = cursor === undefined || cursor === '' ? 0 : firstAbove(items, keyOf, readCursor(list, cursor));
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

/** Nothing that a client could make sense of. */
function writeCursor(list: string, key: number): string {
  return Buffer.from(JSON.stringify([list, key])).toString('base64url');
}

const cursorContent = z.tuple([z.string(), z.number()]);

function readCursor(list: string, cursor: string): number {
  const refusal = refusedField('cursor', 'is none of this list.');
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw refusal;
  }
  const { data } = cursorContent.safeParse(content);
  if (data === undefined || data[0] !== list) throw refusal;
  return data[1];
}

function firstAbove<Item>(items: readonly Item[], keyOf: (item: Item) => number, key: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && keyOf(item) <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}
