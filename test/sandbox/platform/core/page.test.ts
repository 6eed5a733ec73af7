import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Page, pageOf, pageQuery, writeCursor } from '#sandbox/platform/core/page.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const page = (items: readonly number[], limit: number, cursor?: string): Page<number> =>
  pageOf('numbers', items, (item) => item, { limit, cursor });
const cursorOf = ({ pagination }: Page<unknown>) => pagination.cursor;

describe('sandbox platform: the page size (section 8)', () => {
  it('accepts each limit that a platform profile may have', () => {
    const query = z.object(pageQuery);
    expect(query.parse({})).toEqual({ limit: 20 });
    for (const limit of [1, 1_000, 5_000])
      expect(query.parse({ limit: String(platformProfile.parse({ pageSize: limit }).pageSize) })).toEqual({ limit });
  });
});

describe('sandbox platform: cursors are opaque and belong to one list (section 2.3)', () => {
  const valid = cursorOf(page(upTo(5), 2));

  it.each([
    ['one of another list', writeCursor('others', 2)],
    ['one with something added', `${valid}A`],
    ['a place that is no number', Buffer.from('["numbers","2"]').toString('base64url')],
    ['no base64', '%%%'],
  ])('rejects %s as a cursor', (_, cursor) => {
    expect(() => page(upTo(5), 2, cursor)).toThrow(RefusedError);
    expect(() => page(upTo(5), 2, cursor)).toThrow('cursor: is none of this list.');
  });
});

describe('sandbox platform: a walk over pages while the list changes (section 2.3)', () => {
  it('returns every lasting item exactly once', () => {
    const change = fc.record({
      adds: fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { maxLength: 5 }),
      removes: fc.array(fc.nat(), { maxLength: 5 }),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 7 }),
        fc.array(change, { maxLength: 30 }),
        (initial, limit, changes) => {
          let items = initial.toSorted((one, other) => one - other);
          const always = new Set(items);
          const seen: number[] = [];
          let cursor: string | undefined;
          for (let walked = 0; cursor !== ''; walked += 1) {
            const { data, pagination } = page(items, limit, cursor);
            seen.push(...data);
            cursor = pagination.cursor;
            const { adds = [], removes = [] } = changes[walked] ?? {};
            const removed = new Set(removes.map((index) => items[index % Math.max(1, items.length)]));
            items = [...new Set([...items, ...adds])].filter((item) => !removed.has(item));
            items.sort((one, other) => one - other);
            for (const item of removed) if (item !== undefined) always.delete(item);
          }
          expect(new Set(seen).size).toBe(seen.length);
          expect([...always].filter((item) => !seen.includes(item))).toEqual([]);
        },
      ),
    );
  });
});
