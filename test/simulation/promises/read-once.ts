import type { Item } from '#test/simulation/aws/attribute-value.ts';

/** Caches the parsed row of each item of a table. A write creates a new item. */
export function readOnce<Row>(read: (item: Item) => Row): (item: Item) => Row {
  const rows = new WeakMap<Item, { readonly row: Row }>();
  return (item) => {
    const known = rows.get(item) ?? { row: read(item) };
    rows.set(item, known);
    return known.row;
  };
}
