import { type History, type HistoryDeps, type HistoryOptions, runHistory } from './history.ts';

/** The maximum number of histories that one minimisation runs. */
const maxAttempts = 400;

/**
 * Removes kinds of faults, then actions, then single faults, while the same promise stays broken. The result is not the
 * global minimum, but each remaining part is needed.
 */
export async function minimise(failing: History, deps: HistoryDeps): Promise<HistoryOptions> {
  let tries = 0;

  async function fails(options: HistoryOptions): Promise<boolean> {
    tries += 1;
    if (tries > maxAttempts) return false;
    return (await runHistory(options, deps)).broken?.promise === failing.broken?.promise;
  }

  /** Tries to remove the items, large groups first. Returns the items that are needed. */
  async function shrink<Item>(
    items: readonly Item[],
    optionsWith: (kept: readonly Item[]) => HistoryOptions,
  ): Promise<readonly Item[]> {
    let kept = items;
    for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let start = 0; start < kept.length; ) {
        const others = [...kept.slice(0, start), ...kept.slice(start + size)];
        if (await fails(optionsWith(others))) kept = others;
        else start += size;
      }
    return kept;
  }

  let options: HistoryOptions = { ...failing.options, kinds: failing.kinds };
  const kinds = await shrink(failing.kinds, (some) => ({ ...options, kinds: some }));
  options = { ...options, kinds };

  const numbers = failing.actions.map((_, number) => number);
  const without = (kept: readonly number[]) => numbers.filter((number) => !kept.includes(number));
  const actions = await shrink(numbers, (kept) => ({ ...options, leftOut: without(kept) }));
  options = { ...options, leftOut: without(actions) };

  const { injectedFaults } = await runHistory(options, deps);
  const needed = await shrink(injectedFaults, (kept) => ({
    ...options,
    suppressed: injectedFaults.filter((one) => !kept.includes(one)),
  }));
  return { ...options, suppressed: injectedFaults.filter((one) => !needed.includes(one)) };
}
