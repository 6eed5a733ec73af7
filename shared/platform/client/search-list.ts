import * as z from 'zod/mini';
import { checkTrail, cursorTrail, followTrail, trailhead } from './cursor-trail.ts';
import { checkReadable, type PlatformList } from './page.ts';

/** Where a search is, for the process that continues it. */
export const searchPlace = z.object({
  /** Of the page that comes next. */
  cursor: z.string(),
  trail: cursorTrail,
  /** The fields at fault of members that could not be read: what is looked for may be one of them. */
  unreadable: z.optional(z.array(z.string())),
});

export type SearchPlace = z.infer<typeof searchPlace>;

/** How a search ended: with what was looked for, with pages still to be read, or with the end of the list. */
export type Search<Item> =
  | { readonly found: Item }
  /** The page to continue with. */
  | { readonly next: SearchPlace }
  | 'not found';

export type SearchOptions<Item> = {
  readonly operation: string;
  readonly isWanted: (item: Item) => boolean;
  /** Whether to read another page, after so many. */
  readonly mayContinue: (pages: number) => boolean;
  /** Where the search before this one has stopped; the list begins there. */
  readonly from?: Partial<SearchPlace> | undefined;
};

/**
 * Looks for an item in a list, as far as one process has time for: the platform has few filters, and lists are long.
 *
 * @throws {PlatformSchemaError} at the end of a list with members that could not be read: nothing is proved to be missing
 * @throws {PlatformPagingError} if the list repeats itself
 */
export async function searchList<Item>(
  list: PlatformList<Item>,
  { operation, isWanted, mayContinue, from = {} }: SearchOptions<Item>,
): Promise<Search<Item>> {
  let { cursor, trail = trailhead, unreadable } = from;
  let pages = 0;
  for await (const { items, next, unreadable: ofPage } of list.pages()) {
    pages += 1;
    const found = items.find(isWanted);
    if (found !== undefined) return { found };
    unreadable ??= ofPage && [...ofPage];
    const following = followTrail(trail, cursor, next, items);
    // The list itself says why it has no further page.
    if (next === undefined) continue;
    if (following === undefined) break;
    checkTrail(operation, following);
    if (!mayContinue(pages)) return { next: { cursor: next, trail: following, ...(unreadable && { unreadable }) } };
    trail = following;
    cursor = next;
  }
  checkReadable(operation, unreadable);
  return 'not found';
}
