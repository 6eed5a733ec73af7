import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareNewestFirst, type Lane, mergeLanes, type Position } from '#shared/aws/list/read-list.ts';

type Row = Position & { readonly isWanted: boolean };

/** Few times, so that many rows share one. */
const time = fc.integer({ min: 0, max: 9 }).map((second) => `2026-01-02T03:04:0${second}.000Z`);
const laneCount = 4;
const rowsOf = (at: fc.Arbitrary<string>) =>
  fc
    .array(fc.record({ at, isWanted: fc.boolean(), lane: fc.nat(laneCount - 1) }), { maxLength: 40 })
    .map((rows) => rows.map((row, index) => ({ ...row, id: `id-${index}` })));

/** The part of each lane that was read so far: of so many rows, or all of them. */
function partOf(rows: readonly (Row & { readonly lane: number })[], sizes: readonly number[]): readonly Lane<Row>[] {
  return sizes.map((size, lane) => {
    const all = rows.filter((row) => row.lane === lane).toSorted(compareNewestFirst);
    return { rows: all.slice(0, size), isOver: size >= all.length };
  });
}

const isWanted = (row: Row) => row.isWanted;

describe('mergeLanes', () => {
  it('gives the first rows of the whole list for any part of each lane that was read', () => {
    fc.assert(
      fc.property(
        rowsOf(time),
        fc.array(fc.nat(12), { minLength: laneCount, maxLength: laneCount }),
        fc.integer({ min: 1, max: 10 }),
        (rows, sizes, limit) => {
          const whole = rows.toSorted(compareNewestFirst).filter(isWanted);
          const { rows: page, toRead, last } = mergeLanes(partOf(rows, sizes), { limit, isWanted });
          expect(page).toEqual(whole.slice(0, page.length));
          if (toRead.length === 0) expect(page).toEqual(whole.slice(0, limit));
          if (last === undefined) expect(page.length === whole.length || toRead.length > 0).toBe(true);
        },
      ),
    );
  });

  it('asks for each lane that can hold a row of the page, and for no lane that is over', () => {
    const row = (id: string, second: number) => ({ id, at: `2026-01-02T03:04:0${second}.000Z`, isWanted: true });
    const lanes = [
      { rows: [row('a', 9), row('b', 8)], isOver: false },
      { rows: [row('c', 7)], isOver: false },
      { rows: [row('d', 6)], isOver: true },
      { rows: [], isOver: false },
    ];
    expect(mergeLanes(lanes, { limit: 3, isWanted }).toRead).toEqual([0, 3]);
    expect(mergeLanes(lanes, { limit: 5, isWanted }).toRead).toEqual([0, 1, 3]);
  });

  it('shows a row once, at its newest place, if it moved to another lane while the lanes were read', () => {
    const before = { id: 'a', at: '2026-01-02T03:04:05.000Z', isWanted: true };
    const after = { ...before, at: '2026-01-02T03:04:06.000Z' };
    const lanes = [
      { rows: [before], isOver: true },
      { rows: [after], isOver: true },
    ];
    expect(mergeLanes(lanes, { limit: 10, isWanted }).rows).toEqual([after]);
  });
});
