import { type Page, type PageQuery, pageOf } from './page.ts';

/** An entry with the number that names it: 1 for the first, and rising. */
export type LogEntry = { readonly number: number };

export type BoundedLogProps<Entry extends LogEntry> = {
  /** The name of the list, for its cursors. */
  readonly list: string;
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly bytesOf: (entry: Entry) => number;
};

export type BoundedLog<Entry extends LogEntry> = ReturnType<typeof createBoundedLog<Entry>>;

/** The latest entries of a log. The oldest ones go when there are too many, or when they are too large together. */
export function createBoundedLog<Entry extends LogEntry>({
  list,
  maxEntries,
  maxBytes,
  bytesOf,
}: BoundedLogProps<Entry>) {
  /** By number, in the order of the numbers. */
  const entries = new Map<number, Entry>();
  const observers = new Set<(entry: Entry) => void>();
  let numbered = 0;
  let bytes = 0;

  function remove(number: number): void {
    const entry = entries.get(number);
    if (entry === undefined) return;
    bytes -= bytesOf(entry);
    entries.delete(number);
  }

  function removeOldest(): void {
    for (const number of entries.keys()) {
      if (entries.size <= maxEntries && bytes <= maxBytes) return;
      remove(number);
    }
  }

  /** Adds an entry with the next number. */
  function add(entryOf: (number: number) => Entry): Entry {
    numbered += 1;
    const entry = entryOf(numbered);
    entries.set(numbered, entry);
    bytes += bytesOf(entry);
    removeOldest();
    for (const observe of observers) observe(entry);
    return entry;
  }

  /** Replaces the entry with this number, which must be as large; without effect if the log has dropped it. */
  function update(entry: Entry): void {
    if (entries.has(entry.number)) entries.set(entry.number, entry);
    for (const observe of observers) observe(entry);
  }

  return {
    add,
    update,
    find: (number: number): Entry | undefined => entries.get(number),
    /** One page, newest first. @throws {RefusedError} for a cursor of another list */
    page: (query: PageQuery, fits: (entry: Entry) => boolean): Page<Entry> =>
      pageOf(list, [...entries.values()].reverse(), ({ number }) => -number, query, fits),
    /** Calls the observer with each added and each updated entry, until the returned function is called. */
    observe: (observer: (entry: Entry) => void): (() => void) => {
      observers.add(observer);
      return () => void observers.delete(observer);
    },
    clear: (): void => {
      entries.clear();
      bytes = 0;
    },
  };
}
