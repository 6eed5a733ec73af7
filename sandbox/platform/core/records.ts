import { type Page, type PageQuery, pageOf } from './page.ts';
import { RefusedError } from './refused-error.ts';

type Kept<Item> = { readonly sequence: number; item: Item };

export type Records<Item> = ReturnType<typeof createRecords<Item>>;

/**
 * Records of one kind by id, in the order of creation. Fast with 10,000 records.
 *
 * @param list the name of the list, for its cursors
 */
export function createRecords<Item>(list: string, idOf: (item: Item) => string) {
  const byId = new Map<string, Kept<Item>>();
  const bySequence: Kept<Item>[] = [];
  let next = 1;

  function add(item: Item): void {
    const kept = { sequence: next, item };
    next += 1;
    byId.set(idOf(item), kept);
    bySequence.push(kept);
  }

  return {
    /** Adds a record, or replaces the one with its id. */
    save: (item: Item): void => {
      const kept = byId.get(idOf(item));
      if (kept === undefined) add(item);
      else kept.item = item;
    },
    find: (id: string): Item | undefined => byId.get(id)?.item,
    /** @throws {RefusedError} Not Found */
    get: (id: string): Item => {
      const kept = byId.get(id);
      if (kept === undefined) throw new RefusedError(404, 'There is no record with this id, or it was purged.');
      return kept.item;
    },
    /** All records, oldest first. */
    all: (): readonly Item[] => bySequence.map(({ item }) => item),
    /** Replaces every record. */
    restore: (items: readonly Item[]): void => {
      byId.clear();
      bySequence.length = 0;
      for (const item of items) add(item);
    },
    remove: (id: string): void => {
      const kept = byId.get(id);
      if (kept === undefined) return;
      byId.delete(id);
      bySequence.splice(bySequence.indexOf(kept), 1);
    },
    /** One page of the matching records. @throws {RefusedError} for a cursor of another list */
    page: (query: PageQuery, fits?: (item: Item) => boolean): Page<Item> => {
      return itemsOf(pageOf(list, bySequence, ({ sequence }) => sequence, query, fits && (({ item }) => fits(item))));
    },
    /** One page of the records with these ids, which must be in order. @throws {RefusedError} for a cursor of another list */
    pageOf: (ids: readonly string[], query: PageQuery): Page<Item> => {
      const some = ids.flatMap((id) => byId.get(id) ?? []);
      return itemsOf(pageOf(list, some, ({ sequence }) => sequence, query));
    },
  };
}

function itemsOf<Item>({ data, pagination }: Page<Kept<Item>>): Page<Item> {
  return { data: data.map(({ item }) => item), pagination };
}
