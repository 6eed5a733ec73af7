import type { Clock } from '#sandbox/platform/core/clock.ts';
import { type Page, type PageQuery, pageOf } from '#sandbox/platform/core/page.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import { createLifeCycle, type Life, type Transitions } from './life-cycle.ts';

export type RecordBookDeps = {
  readonly clock: Pick<Clock, 'after'>;
  readonly timestamp: () => string;
};

export type RecordKind<Item, Status extends string> = {
  /** What a record is called. */
  readonly name: string;
  readonly idOf: (item: Item) => string;
  readonly transitions: Transitions<Status>;
  readonly notify: (item: Item) => void;
};

type Entry<Item> = { readonly sequence: number; readonly item: Item };

/** Every record of a kind, in the order in which they were made, and its moves from status to status. */
export function createRecordBook<Status extends string, Item extends Life<Status>>(
  { name, idOf, transitions, notify }: RecordKind<Item, Status>,
  { clock, timestamp }: RecordBookDeps,
) {
  const lifeCycle = createLifeCycle(transitions, { timestamp });
  const entries = new Map<string, Entry<Item>>();
  let next = 1;

  /** Adds it, or puts it in the place of the one with its id. */
  function save(item: Item): Item {
    const id = idOf(item);
    const sequence = entries.get(id)?.sequence ?? next++;
    entries.set(id, { sequence, item });
    return item;
  }

  /** @throws {RefusedError} Not Found: there is none, or it was INVALID and is purged */
  function get(id: string): Item {
    const entry = entries.get(id);
    if (entry === undefined) throw new RefusedError(404, `There is no such ${name}, or no more.`);
    return entry.item;
  }

  /** Moves it on, and notifies of it. @throws {RefusedError} Conflict */
  function move(item: Item, status: Status, change: Partial<Item> = {}): Item {
    const moved = save({ ...item, ...change, ...lifeCycle.move(item, status) });
    notify(moved);
    return moved;
  }

  /** Does it so many seconds later, if the record is in the same status then; never where that is null. */
  function later(seconds: number | null, item: Item, work: (item: Item) => void): void {
    if (seconds === null) return;
    const { status } = item;
    clock.after(seconds, () => {
      const then = entries.get(idOf(item))?.item;
      if (then?.status === status) work(then);
    });
  }

  /** One page of those that fit. @throws {RefusedError} for a cursor that is none of this list */
  function page(fits: (item: Item) => boolean, query: PageQuery): Page<Item> {
    const fitting = [...entries.values()].filter(({ item }) => fits(item));
    const found = pageOf(name, fitting, ({ sequence }) => sequence, query);
    return { ...found, data: found.data.map(({ item }) => item) };
  }

  return {
    ...lifeCycle,
    save,
    get,
    move,
    later,
    page,
    remove: (item: Item): boolean => entries.delete(idOf(item)),
    all: (): readonly Item[] => [...entries.values()].map(({ item }) => item),
  };
}
