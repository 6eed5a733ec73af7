import type { Item } from '#test/simulation/aws/attribute-value.ts';

/** Caches the parsed row of each item of a table. A write creates a new item. */
export function readOnce<Row>(read: (item: Item) => Row): (item: Item) => Row {
  const rows = new WeakMap<Item, { readonly row: Row }>();
  return (item) => {
    const known = rows.get(item);
    if (known !== undefined) return known.row;
    const row = read(item);
    rows.set(item, { row });
    return row;
  };
}
