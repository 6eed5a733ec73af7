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

/** The whole seconds since 1970, and the fraction of the next. */
function parts(text: string): readonly [number, number] {
  const point = text.indexOf('.');
  return [Math.floor(Date.parse(text) / 1_000), point < 0 ? 0 : Number.parseFloat(text.slice(point))];
}
