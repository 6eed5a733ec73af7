import type { PlatformList } from './page.ts';

/** How a search ended: with what was looked for, with pages still to be read, or with the end of the list. */
export type Search<Item> =
  | { readonly found: Item }
  /** The cursor of the page to continue with. */
  | { readonly next: string }
  | 'not found';

/**
 * Looks for an item in a list, as far as one process has time for: the platform has few filters, and lists are long.
 *
 * @param mayGoOn whether to read another page, after so many
 */
export async function searchList<Item>(
  list: PlatformList<Item>,
  isWanted: (item: Item) => boolean,
  mayGoOn: (pages: number) => boolean,
): Promise<Search<Item>> {
  let pages = 0;
  for await (const { items, next } of list.pages()) {
    pages += 1;
    const found = items.find(isWanted);
    if (found !== undefined) return { found };
    if (next !== undefined && !mayGoOn(pages)) return { next };
  }
  return 'not found';
}
