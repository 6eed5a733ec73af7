import { describe, expect, it } from 'vitest';
import { duePlaceOf, dueTime, expectsReport, lastReportOn } from '#shared/entities/entity-row.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';

describe('entities with an expected report', () => {
  it.each([
    [
      'natural-person',
      ['RECEIVED', 'REVIEW', 'PENDING', undefined],
      ['CREATED', 'ACTIVE', 'BLOCKED', 'REJECTED', 'NEW'],
    ],
    ['identification-verification', ['RECEIVED', 'PENDING'], ['APPROVED', 'DECLINED']],
    ['order', ['RECEIVED', 'PENDING', 'FILLED'], ['CORRECTED', 'SETTLED', 'INVALID', 'CANCELED', 'REJECTED', 'NEW']],
    ['transfer', ['RECEIVED', 'PENDING'], ['PROCESSED', 'REJECTED', 'INVALID', 'NEW']],
  ] as const)(
    'lists for a %s the statuses with an expected report and the resting ones',
    (kind, expecting, resting) => {
      expect(expecting.filter((status) => !expectsReport(entityRules[kind], status))).toEqual([]);
      expect(resting.filter((status) => expectsReport(entityRules[kind], status))).toEqual([]);
    },
  );

  it('uses the latest receipt in any order of arrival', () => {
    const times = ['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
    expect(lastReportOn(times.map((receivedOn) => ({ receivedOn })))).toBe(times[1]);
    expect(lastReportOn([])).toBeUndefined();
  });
});

describe('the place of an entity in the index of due entities', () => {
  const latest = [{ receivedOn: '2026-01-01T10:14:59.999Z' }, { receivedOn: '2026-01-01T09:00:00.000Z' }];
  const seen = (status: string | undefined) => ({ status, toReadBack: false, openReportOn: undefined });

  it.each([
    ['transfer', 'PENDING', 'open'],
    ['identification-verification', 'RECEIVED', 'open'],
    ['natural-person', 'REVIEW', 'open'],
    ['order', 'FILLED', 'order'],
  ] as const)('is for a %s that is %s in the lane %s, by its last report', (kind, status, lane) => {
    expect(duePlaceOf(entityRules[kind], seen(status), latest)).toEqual({ lane, since: '2026-01-01T10:00:00.000Z' });
  });

  it.each([
    ['order', 'SETTLED'],
    ['order', 'CORRECTED'],
    ['transfer', 'A_NEW_WORD'],
    ['natural-person', 'ACTIVE'],
  ] as const)('is none for an entity that expects no report: %s %s', (kind, status) => {
    expect(duePlaceOf(entityRules[kind], seen(status), latest)).toBeUndefined();
  });

  it('is for a marked entity in its own lane, by the report that marked it', () => {
    const view = { status: 'ACTIVE', toReadBack: true, openReportOn: '2026-01-01T11:50:00.123456Z' };
    const place = duePlaceOf(entityRules['natural-person'], view, latest);
    expect(place).toEqual({ lane: 'marked', since: '2026-01-01T11:45:00.000Z' });
  });

  it('stays the same for a quarter of an hour, so that most reports write no index', () => {
    const at = Date.parse('2026-01-01T10:00:00.000Z');
    expect(dueTime(at + 15 * 60_000 - 1)).toBe(dueTime(at));
    expect(dueTime(at + 15 * 60_000)).not.toBe(dueTime(at));
  });
});
