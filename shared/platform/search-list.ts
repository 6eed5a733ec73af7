import type { PlatformList } from './page.ts';

/** How a search ended: with what was looked for, with pages still to be read, or with the end of the list. */
export type Search<Item> =
  | { readonly found: Item }
  /** The cursor of the page to go on with. */
  | { readonly next: string }
  | 'not found';

/**
 * Looks for an item in a list, so many pages far: the platform has few filters, and a list can be longer than one process
 * has time for.
 */
export async function searchList<Item>(
  list: PlatformList<Item>,
  isWanted: (item: Item) => boolean,
  mostPages: number,
): Promise<Search<Item>> {
  let pages = 0;
  for await (const { items, next } of list.pages()) {
    pages += 1;
    const found = items.find(isWanted);
    if (found !== undefined) return { found };
    if (next !== undefined && pages >= mostPages) return { next };
  }
  return 'not found';
}
