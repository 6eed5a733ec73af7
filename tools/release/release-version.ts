import { compareVersions, minorOf } from '#shared/version.ts';

const semanticVersion = /^(\d+)\.(\d+)\.(\d+)$/;

/** Whether a text is the version of a release: three numbers, without a `v`. */
export function isReleaseVersion(text: string): boolean {
  return semanticVersion.test(text);
}

/**
 * Whether operators deploy a version over an earlier release without another one in between: docs/how-to/upgrade.md names
 * each minor release, and no patch release.
 *
 * @param releases the versions of all releases
 */
export function isDirectUpgrade(from: string, to: string, releases: readonly string[]): boolean {
  if (compareVersions(from, to) >= 0) return false;
  const isBetween = (version: string) => compareVersions(version, from) > 0 && compareVersions(version, to) < 0;
  const ends = [minorOf(from), minorOf(to)];
  return !releases.some((version) => isBetween(version) && !ends.includes(minorOf(version)));
}
