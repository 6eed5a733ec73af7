import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  type EntityState,
  emptyEntityState,
  entityState,
  extremesOf,
  mergeEntityStates,
} from '#shared/entities/merge/entity-state.ts';
import { viewOf } from '#shared/entities/merge/entity-view.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';
import { size } from '#test/full-size.ts';
import { type Line, learn, modifiedAt, receivedAt, statusesOfKind } from './histories.ts';

const [time1, time2, time3] = [modifiedAt(1), modifiedAt(2), modifiedAt(3)];
const beforeAll = '1970-01-01T00:00:00.000Z';

function read(row: unknown): EntityState {
  return z.parse(entityState, JSON.parse(JSON.stringify(row)));
}

/** The latest and the highest, as an earlier release ordered them: unknown statuses between open and final ones. */
function rankOf(kind: EntityKind, status: string): number {
  const { table, isKnown, isFinal } = entityRules[kind].statuses;
  const open = table.statuses.filter(({ final }) => !final).length;
  const place = table.statuses.findIndex((row) => row.status === status);
  return isKnown(status) ? place + Number(isFinal(status)) : open;
}

/** What an earlier release wrote after these reports. */
function earlierRow(kind: EntityKind, lines: readonly Line[]) {
  const { isKnown } = entityRules[kind].statuses;
  const reports = lines.flatMap(({ status, at }) => (status === undefined ? [] : [{ status, at }]));
  const byRank = reports.toSorted((a, b) => rankOf(kind, a.status) - rankOf(kind, b.status));
  const timed = byRank.filter(({ at }) => at !== undefined).toSorted((a, b) => Number(a.at) - Number(b.at));
  const untimed = byRank.filter(({ at }) => at === undefined && !entityRules[kind].readsBack);
  const bySeen = Map.groupBy(reports, ({ status }) => (isKnown(status) ? status : '*'));
  const seen = [...bySeen].map(([status, all]) => [
    status,
    extremesOf(all.flatMap(({ at }) => (at === undefined ? [] : [modifiedAt(at)]))),
  ]);
  const latest = timed.at(-1);
  return {
    timed: latest && { status: latest.status, modifiedOn: modifiedAt(latest.at ?? 0) },
    untimed: untimed.at(-1)?.status,
    seen: Object.fromEntries(seen),
  };
}

describe('a row of an earlier release is read as what is known now', () => {
  it('holds the same statuses and times as the same reports today, where every status is known', () => {
    for (const kind of entityKinds) {
      const line = fc.record({
        status: fc.constantFrom(...statusesOfKind(kind)),
        at: fc.constantFrom(1, 2, 3, undefined),
      });
      fc.assert(
        fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
          const row = mergeEntityStates(entityRules[kind], read(earlierRow(kind, lines)), emptyEntityState);
          expect(row.seen).toEqual(learn(kind, lines).seen);
        }),
        { numRuns: size(60, 300) },
      );
    }
  });

  it('keeps the first and the last time of a known status beside an unknown untimed one', () => {
    const row = {
      timed: { status: 'PENDING', modifiedOn: time3 },
      untimed: 'SOMETHING_NEW',
      seen: { PENDING: [time1, time3] },
    };
    expect(read(row).seen).toEqual({ PENDING: [time1, time3], SOMETHING_NEW: [] });
  });

  it('shows FILLED where an earlier release showed an unknown status for ever', () => {
    for (const at of [undefined, 1]) {
      const lines = ['SOMETHING_NEW', 'FILLED'].map((status) => ({ status, at }));
      const row = earlierRow('order', lines);
      expect(at === undefined ? row.untimed : row.timed?.status).toBe('SOMETHING_NEW');
      expect(viewOf(entityRules.order, read(row))).toMatchObject({ status: 'FILLED', transactionStatus: 'COMPLETED' });
    }
  });

  it('shows the latest unknown status as before, and its time', () => {
    const lines = [
      { status: 'PENDING', at: 1 },
      { status: 'A_NEW_WORD', at: 2 },
      { status: 'B_NEW_WORD', at: 3 },
    ];
    for (const kind of entityKinds)
      expect(viewOf(entityRules[kind], read(earlierRow(kind, lines)))).toMatchObject({
        status: 'B_NEW_WORD',
        modifiedOn: time3,
        toReadBack: false,
        anomalies: [],
      });
  });

  it('ranks an unknown status of the row below each one that is received later', () => {
    const row = read(earlierRow('order', [{ status: 'ZZZ_NEW_WORD' }]));
    expect(row).toMatchObject({ seen: { ZZZ_NEW_WORD: [] }, firstReceivedOn: { ZZZ_NEW_WORD: beforeAll } });
    const later = learn('order', [{ status: 'A_NEW_WORD' }, { status: 'ZZZ_NEW_WORD', received: 9 }], row);
    expect(viewOf(entityRules.order, later).status).toBe('A_NEW_WORD');
  });

  it('keeps the anomaly of an unknown status that the row does not name', () => {
    const row = {
      timed: { status: 'PENDING', modifiedOn: time3 },
      seen: { SETTLED: [time1], PENDING: [time3], '*': [time2] },
    };
    expect(read(row).overflow).toEqual({ status: '*', modifiedOn: time2 });
    expect(viewOf(entityRules.order, read(row))).toMatchObject({
      status: 'PENDING',
      anomalies: ['SETTLED → PENDING', 'SETTLED → *'],
    });
  });

  it('never shows a status that is no word, with any report merged into such a row', () => {
    const line = fc.record({
      status: fc.constantFrom('PENDING', 'SETTLED', 'A_NEW_WORD', 'B_NEW_WORD'),
      at: fc.constantFrom(1, 2, 3, undefined),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), fc.array(line, { maxLength: 3 }), (before, after) => {
        const row = read(earlierRow('order', before));
        expect(viewOf(entityRules.order, learn('order', after, row)).status).not.toBe('*');
      }),
      { numRuns: size(100, 500) },
    );
  });

  it('keeps the answer of the platform, and what is to be read back', () => {
    const answer = { status: 'ACTIVE', modifiedOn: time1, readOn: receivedAt(1) };
    const row = { answer, seen: { ACTIVE: [time1] }, heardOn: receivedAt(2), settledOn: receivedAt(1) };
    expect(read(row)).toMatchObject({ answer, heardOn: receivedAt(2), settledOn: receivedAt(1) });
    expect(viewOf(entityRules['natural-person'], read(row)).toReadBack).toBe(true);
  });

  it('is stable: the result is read as itself', () => {
    const row = earlierRow('order', [
      { status: 'SETTLED', at: 1 },
      { status: 'A_NEW_WORD', at: 2 },
      { status: 'B_NEW_WORD' },
    ]);
    expect(read(read(row))).toEqual(read(row));
  });
});
