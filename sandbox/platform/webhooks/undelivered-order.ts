import type { Settings } from '#sandbox/platform/core/settings.ts';
import { firstAbove, merge } from '#sandbox/platform/core/sorted.ts';

export type Order = Settings['undeliveredOrder'];

/** `sequence` rises with createdOn; from 1. */
export type Sequenced = { readonly sequence: number };

/** What an item is listed by: ascending in every order. No two items have the same. */
export function rankOf(order: Order, { sequence }: Sequenced): number {
  if (order === 'ASCENDING') return sequence;
  return order === 'DESCENDING' ? -sequence : scatter(sequence);
}

/**
 * A growing list in another order, quick where a few items came and went since it was last asked for.
 *
 * @param kept from the oldest to the newest; items are added at its end and removed at its beginning
 */
export function createOrderedView<Item extends Sequenced>(kept: readonly Item[]) {
  let viewed: { readonly order: Order; readonly newest: number; readonly items: readonly Item[] } | undefined;

  return (order: Order): readonly Item[] => {
    if (order === 'ASCENDING') return kept;
    const { newest, items } = viewed?.order === order ? viewed : { newest: 0, items: [] };
    const rank = (item: Item) => rankOf(order, item);
    const added = kept.slice(firstAbove(kept, sequenceOf, newest)).toSorted((one, other) => rank(one) - rank(other));
    const still = withoutRemoved(items, kept);
    viewed = {
      order,
      newest: kept.at(-1)?.sequence ?? newest,
      items: added.length > 0 ? merge(still, added, rank) : still,
    };
    return viewed.items;
  };
}

function withoutRemoved<Item extends Sequenced>(items: readonly Item[], kept: readonly Item[]): readonly Item[] {
  const oldest = kept[0]?.sequence ?? Number.POSITIVE_INFINITY;
  return items.some(({ sequence }) => sequence < oldest) ? items.filter(({ sequence }) => sequence >= oldest) : items;
}

export function sequenceOf({ sequence }: Sequenced): number {
  return sequence;
}

/** Another number for each, in no order to speak of (the finalizer of MurmurHash3). */
function scatter(sequence: number): number {
  const once = Math.imul(sequence ^ (sequence >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
