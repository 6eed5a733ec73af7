import { describe, expect, it } from 'vitest';
import { contentOf, faultOf, followTrail, trailhead } from '#shared/platform/client/cursor-trail.ts';

describe('the content of a page', () => {
  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['in another order', [{ id: '1' }, { id: '2' }], [{ id: '2' }, { id: '1' }]],
    ['whose fields differ where the ids do not', [{ id: '1', at: 1 }], [{ id: '1', at: 2 }]],
    ['whose ids are objects, beside one that is not', [{ id: '1', ofId: { a: 1 } }], [{ id: '1', ofId: { a: 2 } }]],
    ['with a field whose name only holds the word', [{ id: '1', idea: 1, paid: 1, Idle: 1 }], [{ id: '1' }]],
    ['with a field like that of an event type', [{ id: '1', eventTypes: 1, subeventType: 1 }], [{ id: '1' }]],
  ])('is the same for members %s', (_, one, other) => {
    expect(contentOf(one)).toBe(contentOf(other));
    expect(contentOf(one)).toMatch(/^[\w-]{22}$/);
  });

  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['another id', [{ id: '1' }], [{ id: '2' }]],
    ['an id of another name', [{ personId: '1', at: 1 }], [{ personId: '2', at: 1 }]],
    ['another event type', [{ eventType: 'A' }], [{ eventType: 'B' }]],
    ['other fields where none is an id', [{ name: 'a' }], [{ name: 'b' }]],
    ['another text', ['a'], ['b']],
    ['another member beside null', [null, 1], [null, 2]],
    ['numbers of the same digits', [1, 23], [12, 3]],
    ['one member more', ['a'], ['a', 'a']],
  ])('differs for %s', (_, one, other) => {
    expect(contentOf(one)).not.toBe(contentOf(other));
  });

  it('leaves out what is nested too deeply to be compared', () => {
    let nested: unknown = 0;
    for (let depth = 0; depth < 200_000; depth += 1) nested = [nested];
    expect(contentOf([nested])).toBe(contentOf([undefined]));
  });
});

describe('section 2.3: a trail of cursors', () => {
  /** After pages with these members, each with a cursor of its own. */
  const trailAfter = (...pages: readonly (readonly unknown[])[]) =>
    pages.reduce((trail, members, page) => {
      const next = followTrail(trail, page === 0 ? undefined : `c${page}`, `c${page + 1}`, members);
      if (next === undefined) throw new Error('The trail ends.');
      return next;
    }, trailhead);
  const empty = (pages: number) => Array.from({ length: pages }, () => []);

  it('leads to nothing new once ten pages have the members of the page before', () => {
    const same = (pages: number) => Array.from({ length: pages }, () => [{ id: '1' }]);
    const [first, second] = [trailAfter(...same(10)), trailAfter(...same(11))];
    expect([faultOf(first), first.repeated]).toEqual([undefined, 9]);
    expect(faultOf(second)).toBe('gave the same members 10 times, each time with a new cursor');
  });

  it('leads to nothing new after a thousand pages in a row without a member', () => {
    expect(faultOf(trailAfter([1], ...empty(999)))).toBeUndefined();
    expect(faultOf(trailAfter([1], ...empty(1_000)))).toBe('gave 1000 pages in a row without a member');
  });

  it('counts the empty pages in a row, which are no repetition', () => {
    expect(trailAfter(...empty(3))).toMatchObject({ empty: 3 });
    expect(trailAfter(...empty(3))).not.toHaveProperty('repeated');
    expect(trailAfter(...empty(3), [1])).toMatchObject({ empty: 0 });
    expect(trailAfter([1])).not.toHaveProperty('empty');
  });
});
