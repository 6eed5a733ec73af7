import { compareTimestamps } from '#shared/platform/timestamp.ts';
import { compareTexts } from './status-table.ts';

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
  const [first, last] = [sorted.at(0), sorted.at(-1)];
  if (first === undefined || last === undefined) return [];
  return first === last ? [first] : [first, last];
}
