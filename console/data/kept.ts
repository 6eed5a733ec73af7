/** What pages have shown, by the entry of the history and what is shown. Back and Forward find it. Ends with the window. */
export type Kept<Value> = {
  readonly get: (place: string) => Value | undefined;
  /** @returns the value */
  readonly keep: (place: string, value: Value) => Value;
};

/** Back rarely leads further. */
const maxKept = 20;

/** Keeps what was shown last. */
export function createKept<Value>(): Kept<Value> {
  const values = new Map<string, Value>();
  return {
    get: (place) => values.get(place),
    keep: (place, value) => {
      // A map lists first what it has had for longest.
      values.delete(place);
      values.set(place, value);
      for (const oldest of [...values.keys()].slice(0, -maxKept)) values.delete(oldest);
      return value;
    },
  };
}
