import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSettings, type SettingsStore } from '#sandbox/platform/core/settings.ts';
import { createUndeliveredPages } from '#sandbox/platform/webhooks/undelivered-pages.ts';

type Item = { readonly sequence: number };

/** The undelivered list, of records that are numbers. */
function createList(settings: SettingsStore) {
  const kept: Item[] = [];
  const page = createUndeliveredPages(kept, settings);
  let last = 0;
  return {
    page: (limit: number, cursor?: string) => {
      const { data, pagination } = page({ limit, cursor });
      return { data: data.map(({ sequence }) => sequence), cursor: pagination.cursor };
    },
    add: (count: number) => {
      for (let added = 1; added <= count; added += 1) kept.push({ sequence: last + added });
      last += count;
    },
    /** The oldest, up to this one. */
    mark: (newest: number) => void kept.splice(0, kept.filter(({ sequence }) => sequence <= newest).length),
    all: () => kept.map(({ sequence }) => sequence),
  };
}

let settings: SettingsStore;
let list: ReturnType<typeof createList>;
beforeEach(() => {
  settings = createSettings({});
  list = createList(settings);
  list.add(6);
});

const orders = ['ASCENDING', 'DESCENDING', 'SHUFFLED'];

describe('design, draining: a cursor of KEYSET leads behind the last item of its page', () => {
  it('whatever is marked meanwhile', () => {
    const first = list.page(2);
    expect(first.data).toEqual([1, 2]);
    list.mark(2);
    expect(list.page(2, first.cursor)).toMatchObject({ data: [3, 4] });
  });

  it('what fails meanwhile comes at the end of an ascending list, and not at all in a descending one', () => {
    const ascending = list.page(4);
    list.add(1);
    expect(list.page(4, ascending.cursor)).toEqual({ data: [5, 6, 7], cursor: '' });
    settings.change({ undeliveredOrder: 'DESCENDING' });
    const descending = list.page(4);
    expect(descending.data).toEqual([7, 6, 5, 4]);
    list.add(1);
    expect(list.page(4, descending.cursor)).toEqual({ data: [3, 2, 1], cursor: '' });
  });
});

describe('design, draining: a cursor of OFFSET leads to a number of items, whichever these are by then', () => {
  beforeEach(() => void settings.change({ undeliveredCursor: 'OFFSET' }));

  it('so that marking between two pages skips some', () => {
    const first = list.page(2);
    list.mark(2);
    expect(list.page(2, first.cursor)).toEqual({ data: [5, 6], cursor: '' });
  });

  it('and what fails between two pages of a descending list shows some twice', () => {
    settings.change({ undeliveredOrder: 'DESCENDING' });
    const first = list.page(2);
    expect(first.data).toEqual([6, 5]);
    list.add(1);
    expect(list.page(2, first.cursor).data).toEqual([5, 4]);
  });

  it('even behind the end of what is left: that page is empty, and the last', () => {
    const first = list.page(4);
    list.mark(4);
    expect(list.page(4, first.cursor)).toEqual({ data: [], cursor: '' });
  });
});

describe('design, draining: a cursor of SNAPSHOT leads on in the list as it was when the walk began', () => {
  beforeEach(() => void settings.change({ undeliveredCursor: 'SNAPSHOT' }));

  it('with what was marked meanwhile, and without what came', () => {
    const first = list.page(2);
    list.mark(4);
    list.add(3);
    const second = list.page(2, first.cursor);
    const third = list.page(2, second.cursor);
    expect([first, second, third].map(({ data }) => data)).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    expect(third.cursor).toBe('');
  });

  it('each walk has a list of its own', () => {
    const before = list.page(5);
    list.mark(5);
    list.add(5);
    const after = list.page(5);
    expect(list.page(5, before.cursor).data).toEqual([6]);
    expect(list.page(5, after.cursor).data).toEqual([11]);
  });

  it('for the latest 16 walks: the cursor of an older one is refused', () => {
    const walks = Array.from({ length: 17 }, () => list.page(2).cursor);
    expect(new Set(walks).size).toBe(17);
    expect(() => list.page(2, walks[0])).toThrow('cursor: is too old.');
    expect(list.page(2, walks[1]).data).toEqual([3, 4]);
  });

  it('a walk of one page takes no list along', () => {
    const { cursor } = list.page(2);
    for (let walk = 0; walk < 100; walk += 1) expect(list.page(6).cursor).toBe('');
    expect(list.page(2, cursor).data).toEqual([3, 4]);
  });
});

describe('section 2.3: each kind of cursor is refused by the others', () => {
  it.each([
    ['KEYSET', 'OFFSET'],
    ['OFFSET', 'SNAPSHOT'],
    ['SNAPSHOT', 'KEYSET'],
  ])('that of %s by %s', (one, other) => {
    settings.change({ undeliveredCursor: one });
    const { cursor } = list.page(2);
    settings.change({ undeliveredCursor: other });
    expect(() => list.page(2, cursor)).toThrow('cursor: is none of this list.');
  });
});

describe('section 2.3: walks over the undelivered list', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ add: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ mark: fc.double({ min: 0, max: 1, noNaN: true }) }),
    ),
    { maxLength: 20 },
  );

  /** Walks from the first page to the last; between two pages a step is done. */
  function walk(kind: string, order: string, limit: number, changes: readonly ({ add: number } | { mark: number })[]) {
    settings = createSettings({ undeliveredCursor: kind, undeliveredOrder: order });
    list = createList(settings);
    list.add(20);
    const atFirst = list.all();
    const seen: number[] = [];
    let cursor: string | undefined;
    for (let pages = 0; cursor !== ''; pages += 1) {
      const page = list.page(limit, cursor);
      seen.push(...page.data);
      cursor = page.cursor;
      const change = changes[pages];
      const all = list.all();
      if (change !== undefined && 'add' in change) list.add(change.add);
      else if (change !== undefined) list.mark(all[Math.floor(change.mark * all.length)] ?? 0);
    }
    return { seen, atFirst, atLast: list.all() };
  }

  it('of KEYSET see each record once that is there all the time, in each order, and none twice', () => {
    fc.assert(
      fc.property(fc.constantFrom(...orders), fc.integer({ min: 1, max: 7 }), steps, (order, limit, changes) => {
        const { seen, atFirst, atLast } = walk('KEYSET', order, limit, changes);
        expect(new Set(seen).size).toBe(seen.length);
        expect(atFirst.filter((record) => atLast.includes(record) && !seen.includes(record))).toEqual([]);
      }),
    );
  });

  it('of SNAPSHOT see what was there at first, once, in each order', () => {
    fc.assert(
      fc.property(fc.constantFrom(...orders), fc.integer({ min: 1, max: 7 }), steps, (order, limit, changes) => {
        const { seen, atFirst } = walk('SNAPSHOT', order, limit, changes);
        expect(seen.toSorted((one, other) => one - other)).toEqual(atFirst);
      }),
    );
  });

  it('of OFFSET see all where nothing happens meanwhile', () => {
    fc.assert(
      fc.property(fc.constantFrom(...orders), fc.integer({ min: 1, max: 7 }), (order, limit) => {
        const { seen, atFirst } = walk('OFFSET', order, limit, []);
        expect(seen.toSorted((one, other) => one - other)).toEqual(atFirst);
      }),
    );
  });

  it('are in the order of the setting, whatever came and went before', () => {
    fc.assert(
      fc.property(fc.constantFrom(...orders), steps, (order, changes) => {
        settings = createSettings({ undeliveredOrder: order });
        const grown = createList(settings);
        for (const change of changes) {
          if ('add' in change) grown.add(change.add);
          else grown.mark(grown.all()[Math.floor(change.mark * grown.all().length)] ?? 0);
          grown.page(3);
        }
        const once = createList(settings);
        once.add(grown.all().at(-1) ?? 0);
        once.mark((grown.all()[0] ?? 1) - 1);
        expect(grown.all()).toEqual(grown.all().length === 0 ? [] : once.all());
        if (grown.all().length > 0) expect(grown.page(1_000)).toEqual(once.page(1_000));
      }),
    );
  });
});
