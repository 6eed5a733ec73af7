import { expect, it } from 'vitest';
import { formatToken, isExpired } from '#cli/token/format-token.ts';

const state = { hasToken: true, versionId: 'version-1', storedOn: '2026-01-02T03:00:00.000Z' };
const life = { ageSeconds: 3_660, expiresOn: '2026-01-02T04:00:00.000Z' };

it('says that a token has expired, and names the command that replaces the token', () => {
  const now = new Date('2026-01-02T04:01:00Z');
  expect(isExpired(life, now)).toBe(true);
  expect(formatToken(state, life, now).split('\n')).toEqual([
    'stored   2026-01-02T03:00:00.000Z',
    'age      61 min',
    'expired  2026-01-02T04:00:00.000Z',
    'version  version-1',
    '',
    'To replace the token: drawbridge token refresh --force',
  ]);
});

it('calls no token expired whose expiry is later or not known', () => {
  const now = new Date('2026-01-02T03:59:59Z');
  expect(isExpired(life, now)).toBe(false);
  expect(formatToken(state, life, now)).toContain('\nexpires  2026-01-02T04:00:00.000Z\n');
  expect(isExpired({ ...life, expiresOn: null }, now)).toBe(false);
});
