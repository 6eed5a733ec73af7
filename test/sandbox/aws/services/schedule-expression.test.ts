import { describe, expect, it } from 'vitest';
import { parseScheduleExpression } from '#sandbox/aws/services/schedule-expression.ts';
import { HostingError } from '#sandbox/aws/stacks/hosting-error.ts';

/** A Saturday. */
const startedAt = new Date('2026-11-21T02:00:10Z');

/** The first moments at which it is due, without their seconds where those are none. */
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

describe('sandbox aws: a rate expression', () => {
  it.each([
    ['rate(1 minute)', ['2026-11-21T02:01:10', '2026-11-21T02:02:10']],
    ['rate(5 minutes)', ['2026-11-21T02:05:10', '2026-11-21T02:10:10']],
    ['rate(1 hour)', ['2026-11-21T03:00:10', '2026-11-21T04:00:10']],
    ['rate(12 hours)', ['2026-11-21T14:00:10', '2026-11-22T02:00:10']],
    ['rate(1 day)', ['2026-11-22T02:00:10', '2026-11-23T02:00:10']],
  ])('counts from the start of the host: %s', (expression, moments) => {
    expect(due(expression)).toEqual(moments);
  });

  it('does not shift when a run is late', () => {
    const nextRun = parseScheduleExpression('rate(5 minutes)', 'UTC', startedAt);
    expect(nextRun(new Date('2026-11-21T02:07:00Z'))).toEqual(new Date('2026-11-21T02:10:10Z'));
  });
});

describe('sandbox aws: a cron expression', () => {
  it.each([
    ['every day at a time', 'cron(0 8 * * ? *)', ['2026-11-21T08:00', '2026-11-22T08:00']],
    ['some minutes', 'cron(0,30 2 * * ? *)', ['2026-11-21T02:30', '2026-11-22T02:00']],
    ['every quarter of an hour', 'cron(0/15 * * * ? *)', ['2026-11-21T02:15', '2026-11-21T02:30']],
    ['every ten minutes from the fifth', 'cron(5/10 * * * ? *)', ['2026-11-21T02:05', '2026-11-21T02:15']],
    ['every third minute', 'cron(*/3 * * * ? *)', ['2026-11-21T02:03', '2026-11-21T02:06']],
    ['a month', 'cron(0 8 1 JAN ? *)', ['2027-01-01T08:00', '2028-01-01T08:00']],
    ['the last day of the month', 'cron(0 8 L * ? *)', ['2026-11-30T08:00', '2026-12-31T08:00']],
    ['the weekday nearest to a day', 'cron(0 8 6W * ? *)', ['2026-12-07T08:00', '2027-01-06T08:00']],
    ['a year', 'cron(0 8 1 1 ? 2028)', ['2028-01-01T08:00']],
    ['a year that is over', 'cron(0 8 1 1 ? 2020)', []],
  ])('is due %s: %s', (_, expression, moments) => {
    expect(due(expression)).toEqual(moments);
  });
});

describe('sandbox aws: a weekday in a cron expression', () => {
  it.each([
    ['cron(0 8 ? * 1 *)', '2026-11-22T08:00'],
    ['cron(0 8 ? * SUN *)', '2026-11-22T08:00'],
    ['cron(0 8 ? * 2 *)', '2026-11-23T08:00'],
    ['cron(0 8 ? * MON *)', '2026-11-23T08:00'],
    ['cron(0 8 ? * 7 *)', '2026-11-21T08:00'],
    ['cron(0 8 ? * SAT *)', '2026-11-21T08:00'],
  ])('counts from Sunday = 1 or has a name: %s', (expression, moment) => {
    expect(due(expression, { count: 1 })).toEqual([moment]);
  });

  it.each(['cron(0 8 ? * 2-6 *)', 'cron(0 8 ? * MON-FRI *)'])('may be a range: %s', (expression) => {
    expect(due(expression, { count: 6 }).map((moment) => moment.slice(8, 10))).toEqual([
      '23',
      '24',
      '25',
      '26',
      '27',
      '30',
    ]);
  });

  it('may be the last one of the month', () => {
    expect(due('cron(0 8 ? * 6L *)')).toEqual(['2026-11-27T08:00', '2026-12-25T08:00']);
  });

  it.each(['cron(0 8 ? * 6#3 *)', 'cron(0 8 ? * FRI#3 *)'])('may be the third one of the month: %s', (expression) => {
    expect(due(expression)).toEqual(['2026-12-18T08:00', '2027-01-15T08:00']);
  });
});

describe('sandbox aws: the time zone of a schedule', () => {
  it('applies to a cron expression', () => {
    expect(due('cron(0 8 * * ? *)', { timezone: 'Europe/Berlin', count: 1 })).toEqual(['2026-11-21T07:00']);
  });

  it('applies to an at expression', () => {
    expect(due('at(2026-11-22T08:00:00)', { timezone: 'America/New_York' })).toEqual(['2026-11-22T13:00']);
  });

  it('does not apply to a rate', () => {
    expect(due('rate(1 day)', { timezone: 'Asia/Kolkata', count: 1 })).toEqual(['2026-11-22T02:00:10']);
  });
});

describe('sandbox aws: an at expression', () => {
  it('is due exactly once', () => {
    expect(due('at(2026-11-22T08:00:30)')).toEqual(['2026-11-22T08:00:30']);
  });

  it('is never due when its time has passed', () => {
    expect(due('at(2026-11-20T08:00:00)')).toEqual([]);
  });
});

describe('sandbox aws: an unsupported schedule expression', () => {
  it.each([
    'every day',
    'rate(0 minutes)',
    'rate(-1 minutes)',
    'rate(1.5 hours)',
    'rate(3 weeks)',
    'cron(0 8 * * ?)',
    'cron(0 8 * * * *)',
    'cron(0 8 ? * ? *)',
    'cron(0 8 1 * MON *)',
    'cron(0 0 8 * * ? *)',
    'cron(60 8 * * ? *)',
    'cron(0 8 ? * 0 *)',
    'cron(@daily)',
    'at(* * * * *)',
    'at(2026-11-22)',
    'at(tomorrow)',
    'at(2026-13-22T08:00:00)',
    'AT(2026-11-22T08:00:00)',
  ])('is rejected by its name: %s', (expression) => {
    expect(() => due(expression)).toThrow(HostingError);
    expect(() => due(expression)).toThrow(expression);
  });

  it('is rejected for an unknown time zone', () => {
    expect(() => due('cron(0 8 * * ? *)', { timezone: 'Europe/Atlantis' })).toThrow(HostingError);
    expect(() => due('cron(0 8 * * ? *)', { timezone: 'Europe/Atlantis' })).toThrow('Europe/Atlantis');
  });
});
