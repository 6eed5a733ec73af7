import { describe, expect, it } from 'vitest';
import type { PlatformList } from '#shared/platform/client/page.ts';
import { searchList as search } from '#shared/platform/client/search-list.ts';

/** A list of pages of two numbers, and how many pages were read of it. */
function numbers(pages: number) {
  const read: number[] = [];
  async function* all() {
    for (let page = 1; page <= pages; page += 1) {
      read.push(page);
      yield { items: [2 * page - 1, 2 * page], next: page < pages ? `page ${page + 1}` : undefined };
    }
  }
  const list: PlatformList<number> = {
    pages: all,
    [Symbol.asyncIterator]: () => Promise.reject(new Error('Unused.')) as never,
  };
  return { list, read };
}

const searchList = (
  list: PlatformList<number>,
  isWanted: (one: number) => boolean,
  mayContinue: (pages: number) => boolean,
) => search(list, { operation: 'List numbers', isWanted, mayContinue });

const atMost = (most: number) => (pages: number) => pages < most;

describe('the search of a list, with a limit of pages, since the platform has few filters', () => {
  it('reads until it finds the item', async () => {
    const { list, read } = numbers(5);
    expect(await searchList(list, (one) => one === 4, atMost(10))).toEqual({ found: 4 });
    expect(read).toEqual([1, 2]);
  });

  it('stops at the limit of pages, and returns the cursor to continue at', async () => {
    const { list, read } = numbers(5);
    expect(await searchList(list, (one) => one === 9, atMost(3))).toMatchObject({ next: { cursor: 'page 4' } });
    expect(read).toEqual([1, 2, 3]);
  });

  it('reads to the end, also when the last allowed page is the end', async () => {
    expect(await searchList(numbers(3).list, () => false, atMost(3))).toBe('not found');
    expect(await searchList(numbers(0).list, () => true, atMost(3))).toBe('not found');
  });
});
