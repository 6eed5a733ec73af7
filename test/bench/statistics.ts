/** Of some measurements: the one in the middle, the lowest and the highest. */
export type Spread = { readonly median: number; readonly low: number; readonly high: number };

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (place: number) => sorted[Math.min(sorted.length - 1, Math.max(0, place))] ?? Number.NaN;
  const middle = sorted.length / 2;
  const median = sorted.length % 2 === 0 ? (at(middle - 1) + at(middle)) / 2 : at(Math.floor(middle));
  return { median, low: at(0), high: at(sorted.length - 1) };
}

/** The ratio of two measurements of each round: a busy moment of the machine slows down both. */
export function ratiosOf(of: readonly number[], to: readonly number[]): readonly number[] {
  return of.map((value, round) => value / (to[round] ?? Number.NaN));
}
