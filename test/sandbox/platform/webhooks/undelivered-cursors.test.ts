import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSettings, type SettingsStore } from '#sandbox/platform/core/settings-store.ts';
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

describe('sandbox platform: KEYSET cursors continue after the last item of a page', () => {
  it('includes later failures in an ascending list and omits them in a descending one', () => {
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

describe('sandbox platform: OFFSET cursors continue after a number of items', () => {
  beforeEach(() => void settings.change({ undeliveredCursor: 'OFFSET' }));

  it('skips items when some are marked between two pages', () => {
    const first = list.page(2);
    list.mark(2);
    expect(list.page(2, first.cursor)).toEqual({ data: [5, 6], cursor: '' });
  });

  it('repeats items of a descending list when deliveries fail between two pages', () => {
    settings.change({ undeliveredOrder: 'DESCENDING' });
    const first = list.page(2);
    expect(first.data).toEqual([6, 5]);
    list.add(1);
    expect(list.page(2, first.cursor).data).toEqual([5, 4]);
  });
});

describe('sandbox platform: SNAPSHOT cursors continue in the list as it was at the first page', () => {
  beforeEach(() => void settings.change({ undeliveredCursor: 'SNAPSHOT' }));

  it('includes items that were marked meanwhile and omits new ones', () => {
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

  it('keeps the latest 16 walks and rejects the cursor of an older one', () => {
    const walks = Array.from({ length: 17 }, () => list.page(2).cursor);
    expect(new Set(walks).size).toBe(17);
    expect(() => list.page(2, walks[0])).toThrow('cursor: is too old.');
    expect(list.page(2, walks[1]).data).toEqual([3, 4]);
  });
});

describe('sandbox platform: the order of the undelivered list (setting undeliveredOrder)', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ add: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ mark: fc.double({ min: 0, max: 1, noNaN: true }) }),
    ),
    { maxLength: 20 },
  );

  it('lists SHUFFLED in neither order, also after DESCENDING', () => {
    list.add(14);
    settings.change({ undeliveredOrder: 'DESCENDING' });
    expect(list.page(20).data).toEqual(list.all().toReversed());
    settings.change({ undeliveredOrder: 'SHUFFLED' });
    const { data } = list.page(20);
    expect(data.toSorted((one, other) => one - other)).toEqual(list.all());
    expect(data).not.toEqual(list.all());
    expect(data).not.toEqual(list.all().toReversed());
  });

  it('returns the records in the configured order, even after additions and removals', () => {
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
