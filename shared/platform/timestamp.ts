import * as z from 'zod/mini';

/** A `date-time` of the platform: ISO 8601, UTC, with 0 to 9 digits of a second's fraction. Kept as it was written. */
export const timestamp = z.string().check(
  z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})$/),
  z.refine((text) => !Number.isNaN(parts(text)[0])),
);

/**
 * Which of two timestamps is later: above 0 when it is the first. Exact to the nanosecond, where a Date has
 * milliseconds only.
 */
export function compareTimestamps(one: string, other: string): number {
  const [oneSeconds, oneFraction] = parts(one);
  const [otherSeconds, otherFraction] = parts(other);
  return oneSeconds - otherSeconds || oneFraction - otherFraction;
}

/** The milliseconds since 1970 of its whole seconds, and the nanoseconds of its fraction. */
function parts(text: string): readonly [number, number] {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  return [Date.parse(text.replace(/\.\d+/, '')), Number(fraction.padEnd(9, '0'))];
}
