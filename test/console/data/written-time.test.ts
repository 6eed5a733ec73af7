import { expect, it } from 'vitest';
import { dayBetween, readTime, writeMoment, writeTime } from '#console/data/written-time.ts';

const now = Date.parse('2026-01-31T12:00:00Z');
const local = (time: string) => new Date(time).toISOString();

it.each([
  ['', ''],
  ['90m', '2026-01-31T10:30:00.000Z'],
  ['2h', '2026-01-31T10:00:00.000Z'],
  ['1d', '2026-01-30T12:00:00.000Z'],
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02T03:04:05.678+01:00', '2026-01-02T02:04:05.678Z'],
  ['2026-01-02 03:04', local('2026-01-02T03:04')],
  ['2026-01-02', local('2026-01-02T00:00')],
  [' 2026-01-02 3:04:05 ', local('2026-01-02T03:04:05')],
])('reads %j as an operator means it', (text, time) => {
  expect(readTime(text, now)).toBe(time);
});

it('takes a time of day for today, in the zone of this machine', () => {
  const today = new Date(now);
  today.setHours(9, 30, 0, 0);
  expect(readTime('9:30', now)).toBe(today.toISOString());
});

it.each(['yesterday', '2 hours', '2026-13-01', '25:00', 'Z'])('reads %j as no time', (text) => {
  expect(readTime(text, now)).toBeUndefined();
});

it('writes a time as it reads it', () => {
  const time = '2026-01-02T03:04:05.000Z';
  expect(readTime(writeTime(time), now)).toBe(time);
  expect(writeTime('yesterday')).toBe('yesterday');
});

it('writes a moment of today without the date, of another day with it, and of another year with the year', () => {
  const today = new Date(2026, 0, 31).toDateString();
  expect(writeMoment(new Date(2026, 0, 31, 14, 30), today)).toBe('14:30:00');
  expect(writeMoment(new Date(2026, 0, 2, 14, 30), today)).toBe('02 Jan 14:30:00');
  expect(writeMoment(new Date(2025, 11, 31, 14, 30), today)).toBe('31 Dec 2025 14:30:00');
});

it('names the day of a row only where the row before is of another day', () => {
  const at = (day: number, hour: number) => new Date(2026, 0, day, hour).toISOString();
  const today = new Date(2026, 0, 31).toDateString();
  expect(dayBetween(undefined, at(31, 1), today)).toBeUndefined();
  expect(dayBetween(at(31, 1), at(30, 23), today)).toBe('30 Jan');
  expect(dayBetween(at(30, 23), at(30, 22), today)).toBeUndefined();
  expect(dayBetween(undefined, at(30, 22), today)).toBe('30 Jan');
});
