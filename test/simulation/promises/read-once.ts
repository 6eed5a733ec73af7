import type { Item } from '#test/simulation/aws/attribute-value.ts';

/** Reads each item of a table once: one that is written again is another item. */
export function readOnce<Row>(read: (item: Item) => Row): (item: Item) => Row {
  const rows = new WeakMap<Item, { readonly row: Row }>();
  return (item) => {
    const known = rows.get(item) ?? { row: read(item) };
    rows.set(item, known);
    return known.row;
  };
}
