import type { Clock } from './clock.ts';
import { createRecords } from './records.ts';
import { requireTransition, type StatusChange, type Transitions } from './transitions.ts';

/** The status of a record and its history. */
export type Lifecycle<Status> = {
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
  /** The name of the list, for its cursors. */
  readonly list: string;
  readonly idOf: (item: Item) => string;
  readonly transitions: Transitions<Status>;
  readonly notify: (item: Item) => void;
};

/** The records of one kind and their status changes. */
export function createRecordBook<Status extends string, Item extends Lifecycle<Status>>(
  { list, idOf, transitions, notify }: RecordKind<Item, Status>,
  { clock, timestamp }: RecordBookDeps,
) {
  const records = createRecords<Item>(list, idOf);

  function begin(status: Status): Lifecycle<Status> {
    const createdOn = timestamp();
    return { status, createdOn, modifiedOn: createdOn, history: [{ status, since: createdOn }] };
  }

  const allows = ({ status }: Item, next: Status) => transitions[status].includes(next);

  /** @throws {RefusedError} Conflict, with the allowed statuses */
  const check = ({ status }: Item, next: Status) => requireTransition(status, next, transitions[status]);

  function save(item: Item): Item {
    records.save(item);
    return item;
  }

  /** Changes the status and sends the notification. @throws {RefusedError} Conflict, with the allowed statuses */
  function move(item: Item, status: Status, change: Partial<Item> = {}): Item {
    check(item, status);
    const modifiedOn = timestamp();
    const history = [...item.history, { status, since: modifiedOn }];
    const moved = save({ ...item, ...change, status, modifiedOn, history });
    notify(moved);
    return moved;
  }

  /** Does the work some seconds later, if the record has the same status then; never if `seconds` is null. */
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
    /** @throws {RefusedError} Not Found: the record never existed, or was INVALID and is purged */
    get: records.get,
    all: records.all,
    page: records.page,
    restore: records.restore,
  };
}
