import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addPage, type Listed, oldestToMark } from '#functions/retry-undelivered/drain/add-page.ts';
import {
  beginRun,
  beginWalk,
  type DrainProgress,
  drainProgress,
  endMark,
  endWalk,
  follow,
  recordFailedRun,
  type Walk,
} from '#functions/retry-undelivered/drain/drain-progress.ts';

const start = new Date('2026-01-02T03:04:05.000Z');
const settle = 60_000;
const settled = new Date(start.getTime() + settle);
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A walk that may mark up to a time. */
function walkTo(horizon: string | undefined): Walk {
  const candidate = horizon === undefined ? undefined : { createdOn: horizon, listedOn: start.toISOString() };
  return beginWalk({ candidate }, settled, settle).walk;
}

function walked(horizon: string | undefined, listed: readonly Listed[], marked?: string): Walk {
  return addPage(walkTo(horizon), listed, { marked });
}

describe('promise 5: the watermark is the newest record that is not newer than the horizon', () => {
  const time = fc.integer({ min: 0, max: 9 });
  const timeText = (nanoseconds: number) => `2026-01-02T03:04:05.00000000${nanoseconds}Z`;
  const listed = fc
    .array(time)
    .map((times) => times.map((one, index) => ({ id: idOf(index), createdOn: timeText(one) })));

  it('is found to the nanosecond, in any order and on any pages', () => {
    fc.assert(
      fc.property(listed, time, fc.nat(5), (records, horizon, size) => {
        let walk = walkTo(timeText(horizon));
        for (let at = 0; at < records.length; at += size + 1)
          walk = addPage(walk, records.slice(at, at + size + 1), {});
        const covered = records.filter(({ createdOn }) => createdOn <= timeText(horizon));
        const newest = covered
          .map(({ createdOn }) => createdOn)
          .toSorted()
          .at(-1);
        expect(walk.watermark?.createdOn).toBe(newest);
        expect(walk.watermark?.ids ?? []).toEqual(
          covered.filter(({ createdOn }) => createdOn === newest).map(({ id }) => id),
        );
        expect(walk.covered).toBe(covered.length);
      }),
    );
  });

  it('none where there is no horizon', () => {
    const walk = walked(undefined, [{ id: idOf(1), createdOn: '2026-01-02T03:04:05Z' }]);
    expect(walk.watermark).toBeUndefined();
    expect(endWalk({ walk }, start).mark).toBeUndefined();
  });

  it('names at most 20 records of one time', () => {
    const createdOn = '2026-01-02T03:04:05Z';
    const listed = Array.from({ length: 25 }, (_, index) => ({ id: idOf(index), createdOn }));
    expect(walked(createdOn, listed)).toMatchObject({
      covered: 25,
      watermark: { ids: listed.slice(0, 20).map(({ id }) => id) },
    });
  });

  it('never a record whose time or id cannot be read, though what it may mark is committed', () => {
    const horizon = '2026-01-02T03:04:05Z';
    const older = { id: idOf(1), createdOn: '2026-01-01T00:00:00Z' };
    const unreadable = [
      { id: idOf(2), createdOn: undefined },
      { id: undefined, createdOn: horizon },
      { id: 'no UUID', createdOn: horizon },
    ];
    expect(walked(horizon, [...unreadable, older]).watermark).toEqual({ createdOn: older.createdOn, ids: [older.id] });
    expect(walked(horizon, unreadable).watermark).toBeUndefined();
  });

  it('the same time written in different ways is one time', () => {
    const ways = ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z', '2026-01-02T04:04:05+01:00'];
    const walk = walked(
      '2026-01-02T03:04:05.000000Z',
      ways.map((createdOn, index) => ({ id: idOf(index), createdOn })),
    );
    expect(walk.watermark?.ids).toHaveLength(3);
  });
});

describe('promise 5: a horizon is the newest of a walk before, once it has settled', () => {
  const listed = [{ id: idOf(1), createdOn: '2026-01-02T03:00:00Z' }];
  const walkAfter = (progress: DrainProgress, milliseconds: number) =>
    beginWalk(progress, new Date(start.getTime() + milliseconds), settle);
  const first = endWalk({ walk: walked(undefined, listed) }, start);

  it('not a moment sooner', () => {
    expect(walkAfter(first, settle - 1).walk.horizon).toBeUndefined();
    expect(walkAfter(first, settle).walk.horizon).toBe(listed[0]?.createdOn);
  });

  it('one that has not settled is kept until it has: runs in quick succession cannot put it off', () => {
    const newer = [{ id: idOf(2), createdOn: '2026-01-02T03:01:00Z' }];
    const second = endWalk(
      { ...first, walk: addPage(walkAfter(first, 1_000).walk, newer, {}) },
      new Date(start.getTime() + 2_000),
    );
    expect(walkAfter(second, settle).walk.horizon).toBe(listed[0]?.createdOn);
  });

  it('is none after a walk of an empty list', () => {
    expect(endWalk({ walk: walkTo(undefined) }, start)).toEqual({});
  });

  it('holds for one walk: a createdOn far in the future does no harm once its record is gone', () => {
    const future = endWalk({ walk: walked(undefined, [{ id: idOf(1), createdOn: '9999-01-01T00:00:00Z' }]) }, start);
    const second = endWalk(walkAfter(future, settle), settled);
    expect(walkAfter(second, 10 * settle).walk.horizon).toBeUndefined();
  });

  it('is that of the beginning of a walk, however long it takes', () => {
    const walk = addPage(walkAfter(first, settle).walk, [{ id: idOf(2), createdOn: '2026-01-02T04:00:00Z' }], {});
    expect(walkAfter({ walk }, 100 * settle).walk.horizon).toBe(listed[0]?.createdOn);
  });
});

describe('promise 5: while it is not known what a mark has done, nothing else is marked', () => {
  const mark = { createdOn: '2026-01-02T03:00:00Z', ids: [idOf(1)], covered: 1, isOursAlone: true as const };
  const candidate = { createdOn: '2026-01-02T03:04:00Z', listedOn: start.toISOString() };

  it('by a walk that began meanwhile, and the mark stays to be sent', () => {
    const { walk, ...rest } = beginWalk({ mark, candidate }, settled, settle);
    const listed = [{ id: idOf(2), createdOn: '2026-01-02T03:03:00Z' }];
    expect(endWalk({ ...rest, walk: addPage(walk, listed, {}) }, settled).mark).toEqual(mark);
  });

  it('once it is known a walk begins from the first page', () => {
    const { walk, ...rest } = beginWalk({ mark, candidate }, settled, settle);
    expect(endMark({ ...rest, walk, mark }, true)).toEqual({ candidate: undefined, marked: mark.createdOn });
    expect(endMark({ ...rest, walk, mark }, false)).toEqual({
      candidate: undefined,
      refused: { ids: mark.ids, runs: 1 },
    });
  });
});

describe('section 2.3: a repeated cursor ends the walk', () => {
  /** The cursors that are followed in a list where each page names the next. */
  function pagesOf(nextOf: (page: number) => number | undefined): readonly number[] {
    const pages = [0];
    let walk = walkTo(undefined);
    for (;;) {
      const next = nextOf(pages.at(-1) ?? 0);
      const following = follow(walk, next === undefined ? undefined : String(next));
      if (following === undefined || next === undefined) return pages;
      pages.push(next);
      walk = following;
    }
  }

  it('ends at any cursor that leads back, after every page and not many more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 60 }), fc.nat(59), (count, back) => {
        const to = Math.max(1, back % count);
        const pages = pagesOf((page) => (page + 1 < count ? page + 1 : to));
        expect(new Set(pages).size).toBe(count);
        expect(pages.length).toBeLessThanOrEqual(4 * count + 2);
      }),
    );
  });

  it('ends immediately at the cursor of the page itself', () => {
    for (const last of [5, 6, 7, 8]) expect(pagesOf((page) => Math.min(page + 1, last))).toHaveLength(last + 1);
  });

  it('a list without one is read once', () => {
    expect(pagesOf((page) => (page < 1_000 ? page + 1 : undefined))).toHaveLength(1_001);
  });
});

describe('memory stays flat for a list of any length', () => {
  it('keeps no more for 100,000 records than for 1,000, with any content', () => {
    const sizeAfter = (count: number, createdOn: (index: number) => string) => {
      let walk = walkTo('2030-01-01T00:00:00Z');
      for (let page = 0; page < count / 100; page += 1) {
        const listed = Array.from({ length: 100 }, (_, index) => ({
          id: idOf(page * 100 + index),
          createdOn: createdOn(page * 100 + index),
        }));
        walk = follow(addPage(walk, listed, {}), `cursor ${String(page).padStart(9, '0')}`) ?? walk;
      }
      return JSON.stringify(drainProgress.parse({ walk })).length;
    };
    for (const createdOn of [() => '2026-01-02T03:04:05Z', (index: number) => new Date(1e12 + index).toISOString()])
      expect(sizeAfter(100_000, createdOn)).toBeLessThanOrEqual(sizeAfter(1_000, createdOn) + 10);
  });
});

describe('a walk that cannot continue is given up', () => {
  it('after three runs in a row, and not because of single ones', () => {
    const progress: DrainProgress = { walk: follow(walkTo(undefined), 'a') };
    const twice = recordFailedRun(recordFailedRun(progress));
    expect(twice.walk).toBeDefined();
    expect(recordFailedRun(twice)).toEqual({});
    expect(recordFailedRun({ ...twice, walk: follow(twice.walk ?? walkTo(undefined), 'b') }).walk).toBeDefined();
  });

  it('where there is none, nothing changes', () => {
    expect(recordFailedRun({ marked: '2026-01-02T03:04:05Z' })).toEqual({ marked: '2026-01-02T03:04:05Z' });
  });
});

describe('design, draining: what came to light too late is counted', () => {
  it('records that are older than what was marked before, and no others', () => {
    const times = ['2026-01-02T03:00:00Z', '2026-01-02T03:00:01Z', '2026-01-02T03:00:02Z'];
    const listed = times.map((createdOn, index) => ({ id: idOf(index), createdOn }));
    expect(walked(undefined, listed, times[1]).late).toBe(1);
    expect(walked(undefined, listed).late).toBe(0);
  });
});

describe('design, draining: progress outlives a process', () => {
  it('as JSON, and back', () => {
    const walk = walked('2026-01-02T03:04:05Z', [{ id: idOf(1), createdOn: '2026-01-01T00:00:00.5Z' }]);
    const progress = endWalk({ walk: follow(walk, 'a b') ?? walk }, start);
    for (const one of [{ walk }, progress, beginWalk(progress, settled, settle)])
      expect(drainProgress.parse(JSON.parse(JSON.stringify(one)))).toEqual(JSON.parse(JSON.stringify(one)));
  });
});

describe('promise 5: nothing is marked that is as new as a record of another system', () => {
  const timeText = (second: number) => `2026-01-02T03:00:${String(second).padStart(2, '0')}Z`;
  const horizon = '2026-01-02T04:00:00Z';
  const ours = (second: number): Listed => ({ id: idOf(second), createdOn: timeText(second) });
  const foreign = (second: number): Listed => ({ ...ours(second), foreignOrigin: 'https://other.example' });

  /** The progress after the same list was walked so many times, each time under a horizon that is newer. */
  function walkAgain(listed: readonly Listed[], times: number): DrainProgress {
    let progress: DrainProgress = {};
    for (let count = 0; count < times; count += 1) {
      const candidate = { createdOn: horizon, listedOn: start.toISOString() };
      const begun = beginWalk({ ...progress, mark: undefined, candidate }, settled, settle);
      progress = endWalk({ ...begun, walk: addPage(begun.walk, listed, begun) }, settled);
    }
    return progress;
  }

  it('marks up to the newest older record of ours, in any order, from the second walk on', () => {
    const second = fc.integer({ min: 0, max: 30 });
    const record = fc.tuple(second, fc.boolean()).map(([at, isOurs]) => (isOurs ? ours(at) : foreign(at)));
    fc.assert(
      fc.property(fc.array(record, { maxLength: 12 }), (listed) => {
        const bound = listed
          .filter(({ foreignOrigin }) => foreignOrigin !== undefined)
          .map(({ createdOn = '' }) => createdOn)
          .toSorted()[0];
        const own = listed.filter(({ foreignOrigin }) => foreignOrigin === undefined);
        const free = own.filter(({ createdOn = '' }) => bound === undefined || createdOn < bound);
        const newest = free
          .map(({ createdOn }) => createdOn)
          .toSorted()
          .at(-1);
        const first = walkAgain(listed, 1);
        expect(first.mark === undefined || bound === undefined || first.mark.createdOn < bound).toBe(true);
        const { mark, foreign: found } = walkAgain(listed, 2);
        expect(mark?.createdOn).toBe(newest);
        expect(mark?.covered ?? 0).toBe(free.length);
        expect(found?.oldest).toBe(bound);
        expect(found?.waiting ?? 0).toBe(bound === undefined ? 0 : own.length - free.length);
      }),
    );
  });

  it.each([
    [[ours(1), foreign(3)], 0],
    [[ours(5), foreign(3)], 1],
    [[foreign(3), ours(5), ours(1)], 1],
    [[ours(3), foreign(3), foreign(2)], 1],
  ])('counts in the first walk of %j that %d records of ours wait behind them', (listed, waiting) => {
    expect(walkAgain(listed, 1).foreign).toMatchObject({ waiting });
  });

  it('names the webhook of the first of them, and counts them', () => {
    const listed = [foreign(3), { ...foreign(1), foreignOrigin: 'https://second.example' }];
    expect(walkAgain(listed, 1).foreign).toMatchObject({
      origin: 'https://other.example',
      listed: 2,
      oldest: timeText(1),
    });
  });

  it('takes for the oldest record that is to be marked none that is as new as one of another system', () => {
    const oldestIn = (...listed: readonly Listed[]) => oldestToMark(walked(horizon, listed));
    expect(oldestIn(ours(2), ours(1), foreign(3))).toBe(timeText(1));
    expect(oldestIn(ours(2), foreign(2))).toBeUndefined();
    expect(oldestIn(ours(2))).toBe(timeText(2));
    expect(oldestIn(foreign(2))).toBeUndefined();
  });

  it('marks nothing while a record of another system has no time that can be read', () => {
    const untimed = { ...foreign(9), createdOn: undefined };
    expect(walkAgain([ours(1), untimed], 2)).toMatchObject({ mark: undefined, foreign: { listed: 1, waiting: 1 } });
  });

  it('marks again once the record of another system is gone, after one walk that still begins with its bound', () => {
    const { foreign: found } = walkAgain([foreign(1), ours(2)], 1);
    const begun = beginWalk(
      { foreign: found, candidate: { createdOn: horizon, listedOn: start.toISOString() } },
      settled,
      settle,
    );
    const after = endWalk({ ...begun, walk: addPage(begun.walk, [ours(2)], {}) }, settled);
    expect([after.mark, after.foreign]).toEqual([undefined, undefined]);
    expect(walkAgain([ours(2)], 1).mark?.createdOn).toBe(timeText(2));
  });

  it('does not send a mark that a release has written down which did not look for other systems', () => {
    const mark = { createdOn: timeText(1), ids: [idOf(1)], covered: 1 };
    expect(drainProgress.safeParse({ mark }).success).toBe(false);
    expect(drainProgress.safeParse({ mark: { ...mark, isOursAlone: true } }).success).toBe(true);
  });
});

describe('a mark that is refused', () => {
  const mark = { createdOn: '2026-01-02T03:00:00Z', ids: [idOf(1)], covered: 1, isOursAlone: true as const };
  const walkOf = (progress: DrainProgress, listed: readonly Listed[]) => {
    const begun = beginWalk(progress, settled, settle);
    return endWalk({ ...begun, walk: addPage(begun.walk, listed, begun) }, settled);
  };
  const stillListed = [{ id: idOf(1), createdOn: mark.createdOn }];

  it('is not counted where there is none', () => {
    expect(beginRun({ marked: mark.createdOn })).toEqual({ marked: mark.createdOn });
  });

  it('counts the runs since then, as long as its record is listed', () => {
    const refused = endMark({ mark }, false);
    expect(refused.refused?.runs).toBe(1);
    const second = walkOf(beginRun(refused), stillListed);
    expect(second.refused?.runs).toBe(2);
    expect(endMark({ ...second, mark }, false).refused?.runs).toBe(2);
  });

  it('is forgotten once the platform takes a mark', () => {
    expect(endMark({ ...endMark({ mark }, false), mark }, true).refused).toBeUndefined();
  });

  it('is forgotten once its record is listed no more, as after an answer that was lost', () => {
    const other = [{ id: idOf(2), createdOn: mark.createdOn }];
    expect(walkOf(beginRun(endMark({ mark }, false)), other).refused).toBeUndefined();
  });
});
