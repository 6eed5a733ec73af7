import { isDeepStrictEqual } from 'node:util';

type Entries<Value> = Readonly<Record<string, Value>>;

/** The entries that are not the same elsewhere: as they are there, or null where there is none. */
export type Difference<Value> = Readonly<Record<string, Value | null>>;

/** What {@link applyDifference} needs to turn the first entries into the second. */
export function differenceOf<Value>(from: Entries<Value>, to: Entries<Value>): Difference<Value> {
  const changed = Object.entries(to).filter(([name, value]) => !isDeepStrictEqual(value, from[name]));
  const removed = Object.keys(from).filter((name) => !(name in to));
  return { ...Object.fromEntries(changed), ...Object.fromEntries(removed.map((name) => [name, null])) };
}

/** The entries from which {@link differenceOf} took a difference, with that difference. */
export function applyDifference<Value>(from: Entries<Value>, difference: Difference<Value>): Record<string, Value> {
  const all = { ...from, ...difference };
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}
