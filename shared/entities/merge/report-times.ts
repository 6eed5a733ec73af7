import { compareTexts } from '#shared/entities/statuses/status-table.ts';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';

/** By the instant, to the nanosecond; one instant written in two ways, as texts. So of any two the later is always the same. */
export function compareTimes(one: string, other: string): number {
  return compareTimestamps(one, other) || compareTexts(one, other);
}

/** The later of two times, either of which may be missing. */
export function laterTime(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return compareTimes(one, other) > 0 ? one : other;
}

/** The earlier of two times, of which the second may be missing. */
export function earlierTime(one: string, other: string | undefined): string {
  return other === undefined || compareTimes(one, other) <= 0 ? one : other;
}

/** The first and the last of some times: none, one or two. */
export function extremesOf(times: readonly string[]): string[] {
  const sorted = times.toSorted(compareTimes);
  return [...new Set([...sorted.slice(0, 1), ...sorted.slice(-1)])];
}
