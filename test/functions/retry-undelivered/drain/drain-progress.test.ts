import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addPage,
  beginWalk,
  type DrainProgress,
  type DrainWalk,
  drainProgress,
  dropWalk,
  endMark,
  endWalk,
  follow,
  type Listed,
  oldestToMark,
  type Place,
  raiseHorizon,
  recordFailedRun,
  type WalkProgress,
} from '#functions/retry-undelivered/drain/drain-progress.ts';

const settle = 60_000;
const start = new Date('2026-01-02T04:00:00.000Z');
const later = (milliseconds: number) => new Date(start.getTime() + milliseconds);

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
/** The createdOn of a record, by its second. */
const at = (second: number) => `2026-01-02T03:00:${String(second).padStart(2, '0')}Z`;
const ours = (second: number): Listed => ({ id: idOf(second), createdOn: at(second) });
const theirs = (second: number): Listed => ({ ...ours(second), foreignOrigin: 'https://other.example' });
const untimed = { ...theirs(9), createdOn: undefined };

const candidateOf = (createdOn: string) => ({ createdOn, listedOn: start.toISOString() });
const mark = { createdOn: at(1), ids: [idOf(1)], covered: 1, isOursAlone: true as const };

/** A walk that has listed these records. */
function walked(listed: readonly Listed[], { horizon, marked }: { horizon?: string; marked?: string } = {}): DrainWalk {
  const { walk } = beginWalk(horizon === undefined ? {} : { candidate: candidateOf(horizon) }, later(settle), settle);
  return addPage(walk, listed, marked);
}

/** The progress after these records were listed at this time. */
function list(progress: WalkProgress, listed: readonly Listed[], now: Date): WalkProgress {
  return raiseHorizon({ ...progress, walk: addPage(progress.walk, listed, progress.marked) }, now, settle);
}

/** The progress after a whole walk over these records, so many milliseconds after the start. */
function walkAll(progress: DrainProgress, listed: readonly Listed[], after = settle): DrainProgress {
  return endWalk(list(beginWalk(progress, later(after), settle), listed, later(after)));
}

describe('the watermark of a walk', () => {
  const time = fc.integer({ min: 0, max: 9 });
  const nano = (nanoseconds: number) => `2026-01-02T03:00:00.00000000${nanoseconds}Z`;
  const records = fc.array(time).map((times) => times.map((one, index) => ({ id: idOf(index), createdOn: nano(one) })));

  it('is the newest record that is not newer than the horizon, to the nanosecond, in any order and on any pages', () => {
    fc.assert(
      fc.property(records, time.map(nano), fc.nat(5), (listed, horizon, size) => {
        let walk = walked([], { horizon });
        for (let from = 0; from < listed.length; from += size + 1)
          walk = addPage(walk, listed.slice(from, from + size + 1), undefined);
        const covered = listed.filter(({ createdOn }) => createdOn <= horizon);
        const [newest] = covered.map(({ createdOn }) => createdOn).toSorted((one, other) => (one < other ? 1 : -1));
        const ids = covered.filter(({ createdOn }) => createdOn === newest).map(({ id }) => id);
        expect(walk.watermark).toEqual(newest && { createdOn: newest, ids });
        expect(walk.covered).toBe(covered.length);
      }),
    );
  });

  const many = Array.from({ length: 25 }, (_, index) => ({ id: idOf(index), createdOn: at(1) }));
  const spellings = [at(1), '2026-01-02T03:00:01.000Z', '2026-01-02T04:00:01+01:00'];
  const unreadable = [
    { id: idOf(2), createdOn: undefined },
    { id: undefined, createdOn: at(3) },
    { id: 'no UUID', createdOn: at(3) },
  ];

  it.each<[string, string | undefined, readonly Listed[], DrainWalk['watermark']]>([
    ['is none without a horizon', undefined, [ours(1)], undefined],
    ['is none when no record has a readable time and id', at(3), unreadable, undefined],
    [
      'is an older record when none newer has a readable time and id',
      at(3),
      [...unreadable, ours(1)],
      { createdOn: at(1), ids: [idOf(1)] },
    ],
    [
      'has at most 20 records of one time',
      at(1),
      many,
      { createdOn: at(1), ids: many.slice(0, 20).map(({ id }) => id) },
    ],
    [
      'takes a time in three spellings for one',
      at(1),
      spellings.map((createdOn, index) => ({ id: idOf(index), createdOn })),
      { createdOn: at(1), ids: [idOf(0), idOf(1), idOf(2)] },
    ],
  ])('%s', (_, horizon, listed, expected) => {
    expect(walked(listed, horizon === undefined ? {} : { horizon }).watermark).toEqual(expected);
  });

  it('is no mark without a horizon', () => {
    expect(walkAll({}, [ours(1)])).toEqual({ candidate: { createdOn: at(1), listedOn: later(settle).toISOString() } });
  });
});

describe('the horizon of a walk', () => {
  const first = walkAll({}, [ours(1)], 0);
  const horizonAfter = (progress: DrainProgress, milliseconds: number) =>
    beginWalk(progress, later(milliseconds), settle).walk.horizon;

  it('is the newest record of the walk before, once it has settled', () => {
    expect(horizonAfter(first, settle - 1)).toBeUndefined();
    expect(horizonAfter(first, settle)).toBe(at(1));
  });

  it('is not put off by walks in quick succession', () => {
    expect(horizonAfter(walkAll(first, [ours(2)], 1_000), settle)).toBe(at(1));
  });

  it('is what a long walk listed long enough before its end, so that the next walk may begin at once', () => {
    let progress = beginWalk({}, start, settle);
    for (const second of [0, 20, 40, 60, 80, 100])
      progress = list(progress, [ours(second / 10)], later((second * settle) / 60));
    const next = endWalk(progress);
    const listedAt = (second: number) => horizonAfter(next, (second * settle) / 60);
    expect([100, 139, 140, 159, 160].map(listedAt)).toEqual([at(4), at(4), at(8), at(8), at(10)]);
  });

  it('is none after a walk of an empty list', () => {
    expect(walkAll({}, [])).toEqual({});
  });

  it('holds for one walk: a record of the far future does no harm once it is gone', () => {
    const future = walkAll({}, [{ id: idOf(1), createdOn: '9999-01-01T00:00:00Z' }], 0);
    expect(horizonAfter(walkAll(future, []), 10 * settle)).toBeUndefined();
  });

  it('stays that of the beginning of a walk, however long the walk takes', () => {
    const begun = beginWalk(first, later(settle), settle);
    expect(horizonAfter(list(begun, [ours(2)], later(50 * settle)), 100 * settle)).toBe(at(1));
  });
});

describe('a mark that is not answered yet', () => {
  const begun = beginWalk({ mark, candidate: candidateOf(at(4)) }, later(settle), settle);

  it('stays to be sent, and a walk that began meanwhile adds no other', () => {
    expect(endWalk(list(begun, [ours(3)], later(settle))).mark).toEqual(mark);
  });

  it('ends the walk that is under way when it is answered: the next one begins from the first page', () => {
    expect(endMark({ ...begun, mark }, true)).toEqual({ horizon: at(4), marked: at(1) });
    expect(endMark({ ...begun, mark }, false)).toEqual({ horizon: at(4), refusedMarks: 1 });
  });

  it('is not sent when an earlier release has saved it, which did not look for other systems', () => {
    const { isOursAlone, ...earlier } = mark;
    expect(drainProgress.safeParse({ mark: earlier }).success).toBe(false);
    expect(drainProgress.safeParse({ mark: { ...earlier, isOursAlone } }).success).toBe(true);
  });
});

describe('a mark that is refused', () => {
  const refused = endMark({ mark }, false);

  it('is counted with those before it, until the platform takes one', () => {
    expect(endMark({ ...refused, mark }, false).refusedMarks).toBe(2);
    expect(endMark({ ...refused, mark }, true).refusedMarks).toBeUndefined();
  });

  it('is forgotten when none of our records is listed any more, as after a lost answer', () => {
    expect(walkAll(refused, [ours(1)]).refusedMarks).toBe(1);
    expect(walkAll(refused, [theirs(1)]).refusedMarks).toBeUndefined();
    expect(walkAll(refused, []).refusedMarks).toBeUndefined();
  });
});

describe('a walk that follows cursors (section 2.3)', () => {
  const first: Place = walked([]).place;

  /** The pages that are read of a list in which each page names the next. */
  function pagesOf(nextOf: (page: number) => number | undefined): readonly number[] {
    const pages = [0];
    let place = first;
    while (pages.length < 2_000) {
      const next = nextOf(pages.at(-1) ?? 0);
      const following = follow(place, next === undefined ? undefined : String(next), [{ id: pages.at(-1) }]);
      if (following === undefined || next === undefined) break;
      pages.push(next);
      place = following;
    }
    return pages;
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

  it('ends at once at the cursor of the page itself', () => {
    for (const last of [5, 6, 7, 8]) expect(pagesOf((page) => Math.min(page + 1, last))).toHaveLength(last + 1);
  });

  it('reads a list without such a cursor to its end, once', () => {
    expect(pagesOf((page) => (page < 1_000 ? page + 1 : undefined))).toHaveLength(1_001);
  });

  it('is given up after three failed runs in a row at one page', () => {
    const progress = beginWalk({ marked: at(1) }, start, settle);
    const once = recordFailedRun(progress);
    const twice = recordFailedRun({ ...progress, ...once, walk: once.walk ?? progress.walk });
    expect(twice.walk?.place.failedRuns).toBe(2);
    expect(recordFailedRun({ ...progress, ...twice, walk: twice.walk ?? progress.walk })).toEqual({ marked: at(1) });
    expect(twice.walk && follow(twice.walk.place, 'b', [])).toMatchObject({ cursor: 'b', failedRuns: 0 });
  });

  it('leaves the rest of the progress when it is given up', () => {
    expect(dropWalk({ walk: walked([ours(1)]), marked: at(1), refusedMarks: 1 })).toEqual({
      marked: at(1),
      refusedMarks: 1,
    });
  });
});

describe('the progress of a drain', () => {
  it('is stored as JSON in every state', () => {
    const begun = beginWalk({ candidate: candidateOf(at(2)) }, later(settle), settle);
    const place = follow(begun.walk.place, 'a b', []) ?? begun.walk.place;
    const underWay = list({ ...begun, walk: { ...begun.walk, place } }, [ours(1), untimed], later(settle));
    const progress = endWalk(underWay);
    const marking = walkAll({ candidate: candidateOf(at(2)) }, [ours(1)]);
    expect(marking).toMatchObject({ mark });
    for (const one of [underWay, progress, marking, beginWalk(progress, later(settle), settle)])
      expect(drainProgress.parse(JSON.parse(JSON.stringify(one)))).toEqual(JSON.parse(JSON.stringify(one)));
  });

  it('begins a walk of release 0.2.0 again, and keeps its mark', () => {
    const { place, ...tallies } = walked([ours(1)]);
    expect(drainProgress.parse({ walk: { ...place, ...tallies }, mark })).toEqual({ walk: undefined, mark });
  });

  it.each([
    ['of one time', () => at(1)],
    ['of many times', (index: number) => new Date(1e12 + index).toISOString()],
  ])('has no more for 20,000 records %s than for 1,000', (_, createdOn) => {
    const sizeAfter = (count: number) => {
      let walk = walked([], { horizon: '2030-01-01T00:00:00Z' });
      for (let first = 0; first < count; first += 100) {
        const page = Array.from({ length: 100 }, (__, index) => first + index);
        const listed = page.map((index) => ({ id: idOf(index), createdOn: createdOn(index) }));
        const place = follow(walk.place, `cursor ${String(first).padStart(9, '0')}`, listed) ?? walk.place;
        walk = { ...addPage(walk, listed, undefined), place };
      }
      return JSON.stringify(drainProgress.parse({ walk })).length;
    };
    expect(sizeAfter(20_000)).toBeLessThanOrEqual(sizeAfter(1_000) + 10);
  });

  it('counts as late the records that are older than what was marked before', () => {
    const listed = [ours(1), ours(2), ours(3)];
    expect(walked(listed, { marked: at(2) }).late).toBe(1);
    expect(walked(listed).late).toBe(0);
  });
});

describe('records of another system in the list', () => {
  const horizon = at(59);

  /** The progress after so many walks over the same list, each under a horizon that is newer. */
  function walkAgain(listed: readonly Listed[], times: number): DrainProgress {
    let progress: DrainProgress = {};
    for (let count = 0; count < times; count += 1)
      progress = walkAll({ ...progress, mark: undefined, candidate: candidateOf(horizon) }, listed);
    return progress;
  }

  it('marks the newest of our records that is older than all of them, in any order, from the second walk on', () => {
    const record = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.boolean());
    fc.assert(
      fc.property(fc.array(record, { maxLength: 12 }), (records) => {
        const listed = records.map(([second, isOurs]) => (isOurs ? ours(second) : theirs(second)));
        const bound = Math.min(...records.flatMap(([second, isOurs]) => (isOurs ? [] : second)));
        const own = records.flatMap(([second, isOurs]) => (isOurs ? second : []));
        const free = own.filter((second) => second < bound);
        const isBound = bound !== Number.POSITIVE_INFINITY;
        const { mark: first } = walkAgain(listed, 1);
        expect(first === undefined || !isBound || first.createdOn < at(bound)).toBe(true);
        const { mark: second, foreign } = walkAgain(listed, 2);
        expect(second?.createdOn).toBe(free.length > 0 ? at(Math.max(...free)) : undefined);
        expect(second?.covered ?? 0).toBe(free.length);
        expect(foreign?.oldest).toBe(isBound ? at(bound) : undefined);
        expect(foreign?.waiting ?? 0).toBe(own.length - free.length);
      }),
    );
  });

  it.each([
    [[ours(1), theirs(3)], 0],
    [[ours(5), theirs(3)], 1],
    [[theirs(3), ours(5), ours(1)], 1],
    [[ours(3), theirs(3), theirs(2)], 1],
  ])('finds in the second walk over %j that %d of our records wait behind them', (listed, waiting) => {
    expect(walkAgain(listed, 2).foreign?.waiting).toBe(waiting);
  });

  it('keeps the mark of a walk in which they are newer', () => {
    expect(walked([ours(3), theirs(5)], { horizon })).toMatchObject({ covered: 1, watermark: { createdOn: at(3) } });
  });

  it('counts them, and names the oldest of them and the webhook of the first that was listed', () => {
    const listed = [theirs(3), { ...theirs(1), foreignOrigin: 'https://second.example' }];
    expect(walkAgain(listed, 1).foreign).toEqual({
      listed: 2,
      oldest: at(1),
      origin: 'https://other.example',
      waiting: 0,
    });
  });

  it.each<[readonly Listed[], string | undefined]>([
    [[ours(2), ours(1), theirs(3)], at(1)],
    [[ours(2), theirs(2)], undefined],
    [[ours(2)], at(2)],
    [[theirs(2)], undefined],
  ])('finds that the oldest record to mark of %j is %s', (listed, expected) => {
    expect(oldestToMark(walked(listed, { horizon }))).toBe(expected);
  });

  it('marks nothing while one of them has no readable time', () => {
    expect(walkAgain([ours(1), untimed], 2)).toMatchObject({ mark: undefined, foreign: { listed: 1, waiting: 1 } });
  });

  it('marks again one walk after they are gone', () => {
    const { foreign } = walkAgain([theirs(1), ours(2)], 1);
    const next = walkAll({ foreign, candidate: candidateOf(horizon) }, [ours(2)]);
    expect([next.mark, next.foreign]).toEqual([undefined, undefined]);
    expect(walkAll({ ...next, candidate: candidateOf(horizon) }, [ours(2)]).mark?.createdOn).toBe(at(2));
  });
});
