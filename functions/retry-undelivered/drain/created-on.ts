import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';

export function isNewer(one: string, other: string): boolean {
  return compareTimestamps(one, other) > 0;
}

/** The newer of two times. */
export function newer(one: string | undefined, other: string): string {
  return one !== undefined && isNewer(one, other) ? one : other;
}

/** The older of two times. */
export function older(one: string | undefined, other: string): string {
  return one !== undefined && isNewer(other, one) ? one : other;
}
