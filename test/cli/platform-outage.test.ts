import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CallMinute, calledOperations, findOutage } from '#cli/status/platform-outage.ts';
import { root } from '#docs/generate/markdown-pages.ts';

const start = Date.parse('2026-01-02T03:00:00Z');
const minute = (at: number, calls: number, failed: number): CallMinute => ({ at: start + at * 60_000, calls, failed });
const now = (at: number) => new Date(start + at * 60_000);

describe('an outage of the platform', () => {
  it('begins with the first minute after the last good one, and counts the calls since then', () => {
    const minutes = [minute(0, 4, 0), minute(1, 4, 4), minute(2, 4, 1), minute(3, 4, 4), minute(4, 6, 5)];
    expect(findOutage(minutes, now(5))).toEqual({ since: '2026-01-02T03:03:00.000Z', calls: 10, failed: 9 });
  });

  it('does not exist in a single bad minute, after a good minute, and without calls', () => {
    expect(findOutage([minute(0, 4, 0), minute(1, 4, 4)], now(2))).toBeUndefined();
    expect(findOutage([minute(0, 4, 4), minute(1, 4, 4), minute(2, 1, 0)], now(3))).toBeUndefined();
    expect(findOutage([], now(3))).toBeUndefined();
  });

  it('is over once no call was made for ten minutes', () => {
    const minutes = [minute(0, 4, 4), minute(1, 4, 4)];
    expect(findOutage(minutes, now(11))).toBeDefined();
    expect(findOutage(minutes, now(12))).toBeUndefined();
  });

  it('shows as many calls as failures where the failures are counted before the calls', () => {
    expect(findOutage([minute(0, 0, 2), minute(1, 1, 3)], now(2))).toMatchObject({ calls: 5, failed: 5 });
  });

  it('can name every operation of the client, apart from those that no function calls', () => {
    const sources = globSync('shared/platform/resources/*.ts', { cwd: root }).map((path) =>
      readFileSync(join(root, path), 'utf8'),
    );
    const named = sources.flatMap((text) =>
      [...text.matchAll(/\b(?:operation(?: =|:)|get\w+ =|list\w+ =) '([A-Z][^']+)'/g)].map(([, name = '']) => name),
    );
    const uncalled = ['Cancel order', 'Get trade invoice', 'Get webhook', 'List assets'];
    expect([...new Set(named)].toSorted()).toEqual([...calledOperations, ...uncalled].toSorted());
  });
});
