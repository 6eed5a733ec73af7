import { type Page, type PageQuery, pageOf, readCursor, writeCursor } from '#sandbox/platform/core/page.ts';
import { refusedField } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { createOrderedView, rankOf, type Sequenced } from './undelivered-order.ts';

/** The most concurrent walks. Cursors of older ones are rejected. */
const maxSnapshots = 16;

/**
 * The pages of the undelivered list, with the cursors and in the order of the settings. Of an unknown platform one must
 * expect each kind of cursor.
 *
 * @param kept from the oldest to the newest; items are added at its end and removed at its beginning
 */
export function createUndeliveredPages<Item extends Sequenced>(kept: readonly Item[], settings: SettingsStore) {
  const viewIn = createOrderedView(kept);
  const snapshots = new Map<number, readonly Item[]>();
  let taken = 0;

  function takeSnapshot(items: readonly Item[]): number {
    taken += 1;
    snapshots.set(taken, [...items]);
    snapshots.delete(taken - maxSnapshots);
    return taken;
  }

  /** Continues in the list as it was: with records marked since, and without new ones. */
  function snapshotPage(list: string, items: readonly Item[], { cursor, limit }: PageQuery): Page<Item> {
    const [number, start = 0] = readCursor(list, cursor) ?? [];
    const listed = number === undefined ? items : snapshots.get(number);
    if (listed === undefined) throw refusedField('cursor', 'is too old.');
    const end = start + limit;
    const next = end < listed.length ? writeCursor(list, number ?? takeSnapshot(listed), end) : '';
    return { data: listed.slice(start, end), pagination: { cursor: next, limit } };
  }

  return (query: PageQuery): Page<Item> => {
    const { undeliveredOrder: order, undeliveredCursor: kind } = settings.read();
    const list = `undelivered ${order} ${kind}`;
    const items = viewIn(order);
    if (kind === 'SNAPSHOT') return snapshotPage(list, items, query);
    return kind === 'OFFSET'
      ? offsetPage(list, items, query)
      : pageOf(list, items, (item) => rankOf(order, item), query);
  };
}

/** Continues after a number of items of the current list. */
function offsetPage<Item>(list: string, items: readonly Item[], { cursor, limit }: PageQuery): Page<Item> {
  const [start = 0] = readCursor(list, cursor) ?? [];
  const end = start + limit;
  return {
    data: items.slice(start, end),
    pagination: { cursor: end < items.length ? writeCursor(list, end) : '', limit },
  };
}
