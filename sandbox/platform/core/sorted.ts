/** The index of the first item with a higher key in a list with ascending keys; the length if there is none. */
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
