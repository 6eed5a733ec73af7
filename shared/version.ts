/** The release that this code is, as package.json names it. A semantic version. */
export const version = '0.3.0';

/** Negative if the one is earlier than the other, by their numbers: `0.2.0` is earlier than `0.10.0`. */
export function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/** `0.2` of `0.2.1`. */
export function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}
