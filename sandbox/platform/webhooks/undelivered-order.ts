import type { Settings } from '#sandbox/platform/core/settings.ts';
import { firstAbove } from '#sandbox/platform/core/sorted.ts';

export type Order = Settings['undeliveredOrder'];

/** `sequence` rises with createdOn; from 1. */
export type Sequenced = { readonly sequence: number };

/** What an item is listed by: ascending in every order. No two items have the same. */
export function rankOf(order: Order, { sequence }: Sequenced): number {
  if (order === 'ASCENDING') return sequence;
  return order === 'DESCENDING' ? -sequence : scatter(sequence);
}

/** From so many on, sorting is quicker than putting each in its place. */
const many = 100;

/**
 * A growing list in another order, quick if a few items came and went since it was last asked for.
 *
 * @param kept from the oldest to the newest; items are added at its end and removed at its beginning
 */
export function createOrderedView<Item extends Sequenced>(kept: readonly Item[]) {
  let viewed: Order = 'ASCENDING';
  /** In the order that is viewed: those that were kept when it was last asked for. */
  let items: Item[] = [];
  let [oldest, newest] = [0, 0];

  const rank = (item: Item) => rankOf(viewed, item);

  function begin(order: Order): void {
    viewed = order;
    items = [];
    [oldest, newest] = [0, 0];
  }

  function removeOlder(): void {
    const first = kept[0]?.sequence ?? Number.POSITIVE_INFINITY;
    if (oldest < first) items = items.filter(({ sequence }) => sequence >= first);
    oldest = first;
  }

  function addNewer(): void {
    const added = kept.slice(firstAbove(kept, sequenceOf, newest));
    if (added.length < many) for (const item of added) items.splice(firstAbove(items, rank, rank(item)), 0, item);
    else items = [...items, ...added].sort((one, other) => rank(one) - rank(other));
    newest = added.at(-1)?.sequence ?? newest;
  }

  return (order: Order): readonly Item[] => {
    if (order === 'ASCENDING') return kept;
    if (order !== viewed) begin(order);
    removeOlder();
    addNewer();
    return items;
  };
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
