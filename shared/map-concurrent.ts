/**
 * Does the work for each item, so many concurrently, and gives the results in the order of the items. After a failure it
 * begins no more, and waits for those under way: nothing runs after the caller has its answer.
 *
 * @throws the first failure
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  const failures: unknown[] = [];
  const left = items.entries();

  async function worker(): Promise<void> {
    for (const [index, item] of left) {
      if (failures.length > 0) return;
      try {
        results.set(index, await work(item));
      } catch (error) {
        failures.push(error);
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return [...results].toSorted(([one], [other]) => one - other).map(([, result]) => result);
}
