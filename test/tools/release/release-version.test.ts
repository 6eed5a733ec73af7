import { describe, expect, it } from 'vitest';
import { compareVersions, isDirectUpgrade, isReleaseVersion } from '#tools/release/release-version.ts';

describe('versions of releases', () => {
  it('are three numbers, and compared by them', () => {
    const names = ['0.10.0', '0.2.0', 'README.md', '0.9.1', 'v0.3.0'];
    expect(names.filter(isReleaseVersion).toSorted(compareVersions)).toEqual(['0.2.0', '0.9.1', '0.10.0']);
  });
});

describe('an upgrade without another release in between', () => {
  const releases = ['0.2.0', '0.3.0', '0.3.1', '0.10.0'];

  it.each([
    ['0.2.0', '0.3.1', true],
    ['0.3.0', '0.10.0', true],
    ['0.3.1', '0.10.0', true],
    ['0.2.0', '0.10.0', false],
    ['0.10.0', '0.3.1', false],
    ['0.3.1', '0.3.1', false],
  ])('from %s to %s: %s', (from, to, isDirect) => {
    expect(isDirectUpgrade(from, to, releases)).toBe(isDirect);
  });
});
