import type { Clock } from '#sandbox/platform/core/clock.ts';
import { createRecords } from '#sandbox/platform/core/records.ts';
import { requireTransition, type StatusChange, type Transitions } from '#sandbox/platform/core/transitions.ts';

/** The status of a record, and how it came to it. */
export type Life<Status> = {
  readonly status: Status;
  readonly createdOn: string;
  readonly modifiedOn: string;
  readonly history: readonly StatusChange[];
};

export type RecordBookDeps = {
  readonly clock: Pick<Clock, 'after'>;
  readonly timestamp: () => string;
};

export type RecordKind<Item, Status extends string> = {
  /** Names their list, for its cursors. */
  readonly list: string;
  readonly idOf: (item: Item) => string;
  readonly transitions: Transitions<Status>;
  readonly notify: (item: Item) => void;
};

/** Every record of a kind, and its moves from status to status. */
export function createRecordBook<Status extends string, Item extends Life<Status>>(
  { list, idOf, transitions, notify }: RecordKind<Item, Status>,
  { clock, timestamp }: RecordBookDeps,
) {
  const records = createRecords<Item>(list, idOf);

  function begin(status: Status): Life<Status> {
    const createdOn = timestamp();
    return { status, createdOn, modifiedOn: createdOn, history: [{ status, since: createdOn }] };
  }

  const allows = ({ status }: Item, next: Status) => transitions[status].includes(next);

  /** @throws {RefusedError} Conflict: says what would be legal */
  const check = ({ status }: Item, next: Status) => requireTransition(status, next, transitions[status]);

  function save(item: Item): Item {
    records.save(item);
    return item;
  }

  /** Moves it on, and notifies of it. @throws {RefusedError} Conflict: says what would be legal */
  function move(item: Item, status: Status, change: Partial<Item> = {}): Item {
    check(item, status);
    const modifiedOn = timestamp();
    const history = [...item.history, { status, since: modifiedOn }];
    const moved = save({ ...item, ...change, status, modifiedOn, history });
    notify(moved);
    return moved;
  }

  /** Does it so many seconds later, if the record is in the same status then; never where that is null. */
  function later(seconds: number | null, item: Item, work: (item: Item) => void): void {
    if (seconds === null) return;
    clock.after(seconds, () => {
      const then = records.find(idOf(item));
      if (then?.status === item.status) work(then);
    });
  }

  return {
    begin,
    allows,
    check,
    save,
    move,
    later,
    remove: (item: Item): void => records.remove(idOf(item)),
    /** @throws {RefusedError} Not Found: there is none, or it was INVALID and is purged */
    get: records.get,
    all: records.all,
    page: records.page,
  };
}
