/** Where the first item with a higher key is, in a list whose keys ascend; its length where there is none. */
export function firstAbove<Item>(items: readonly Item[], keyOf: (item: Item) => number, key: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && keyOf(item) <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One list of two, whose keys ascend. Quick where the second is short. */
export function merge<Item>(one: readonly Item[], other: readonly Item[], keyOf: (item: Item) => number): Item[] {
  const parts: Item[][] = [];
  let start = 0;
  for (const item of other) {
    const end = firstAbove(one, keyOf, keyOf(item));
    parts.push(one.slice(start, end), [item]);
    start = end;
  }
  return [...parts, one.slice(start)].flat();
}
