import { describe, expect, it } from 'vitest';
import { parseScheduleExpression } from '#sandbox/aws/services/schedule-expression.ts';

/** A Saturday. */
const startedAt = new Date('2026-11-21T02:00:10Z');

/** The first moments at which it is due, without their seconds if those are none. */
function due(expression: string, { count = 2, timezone = 'UTC' } = {}): readonly string[] {
  const nextRun = parseScheduleExpression(expression, timezone, startedAt);
  const moments: string[] = [];
  let last: Date | undefined = startedAt;
  while (moments.length < count) {
    last = nextRun(last);
    if (last === undefined) break;
    moments.push(last.toISOString().replace(/(:00)?\.000Z$/, ''));
  }
  return moments;
}

// What is common to all cron expressions, the library knows. What differs on AWS is here.
describe('sandbox aws: a schedule expression', () => {
  it.each([
    ['rate(1 minute)', ['2026-11-21T02:01:10', '2026-11-21T02:02:10']],
    ['rate(12 hours)', ['2026-11-21T14:00:10', '2026-11-22T02:00:10']],
    ['cron(0 8 * * ? *)', ['2026-11-21T08:00', '2026-11-22T08:00']],
    ['cron(5/10 * * * ? *)', ['2026-11-21T02:05', '2026-11-21T02:15']],
    ['cron(0 8 ? * SUN *)', ['2026-11-22T08:00', '2026-11-29T08:00']],
    ['cron(0 8 ? * MON-TUE *)', ['2026-11-23T08:00', '2026-11-24T08:00']],
    ['at(2026-11-22T08:00:30)', ['2026-11-22T08:00:30']],
  ])('is due at these times, counted from the start of the host: %s', (expression, moments) => {
    expect(due(expression)).toEqual(moments);
  });

  it('does not shift a rate when a run is late', () => {
    const nextRun = parseScheduleExpression('rate(5 minutes)', 'UTC', startedAt);
    expect(nextRun(new Date('2026-11-21T02:07:00Z'))).toEqual(new Date('2026-11-21T02:10:10Z'));
  });

  it.each([
    ['cron(0 8 * * ? *)', 'Europe/Berlin', '2026-11-21T07:00'],
    ['at(2026-11-22T08:00:00)', 'America/New_York', '2026-11-22T13:00'],
    ['rate(1 day)', 'Asia/Kolkata', '2026-11-22T02:00:10'],
  ])('reads %s in the time zone %s', (expression, timezone, moment) => {
    expect(due(expression, { timezone, count: 1 })).toEqual([moment]);
  });

  it.each(['every day', 'rate(0 minutes)', 'cron(0 8 * * * *)', 'at(* * * * *)'])(
    'is refused by its name where AWS refuses it: %s',
    (expression) => {
      expect(() => due(expression)).toThrow(expect.objectContaining({ code: 'NOT_HOSTED' }));
      expect(() => due(expression)).toThrow(expression);
    },
  );
});
