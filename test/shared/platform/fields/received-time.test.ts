import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTime, timestamp } from '#shared/platform/fields/timestamp.ts';
import { size } from '#test/full-size.ts';

// CET is a name without a place, Monrovia had seconds until 1972, and Etc/GMT-14 is the furthest from UTC.
const zones = [
  'UTC',
  'Europe/Vienna',
  'Europe/Berlin',
  'Europe/Amsterdam',
  'Europe/Dublin',
  'CET',
  'Africa/Lagos',
  'Africa/Monrovia',
  'America/New_York',
  'Asia/Kathmandu',
  'Etc/GMT-14',
  '+01:00',
] as const;

describe('a local time from before the zone had standard time', () => {
  it.each([
    ['0001-01-01T00:00:00', 'Europe/Vienna', undefined],
    ['0001-01-01T00:00:00', 'Europe/Berlin', undefined],
    ['0001-01-01T00:00:00', 'America/New_York', undefined],
    ['0001-01-01T00:00:00', 'Africa/Lagos', undefined],
    ['0001-01-01T00:00:00', 'UTC', '0001-01-01T00:00:00Z'],
    ['0001-01-01T00:00:00', '+01:00', '0001-01-01T00:00:00+01:00'],
    ['0000-01-01T00:00:00', '+01:00', undefined],
    ['1890-01-01T00:00:00', 'Europe/Amsterdam', undefined],
    ['1890-01-01T00:00:00', 'Europe/Dublin', undefined],
    ['1893-04-01T00:02:00', 'Europe/Vienna', undefined],
    ['1900-01-01T00:00:00', 'Europe/Vienna', '1900-01-01T00:00:00+01:00'],
    ['1970-01-01T00:00:00', 'Africa/Monrovia', undefined],
    ['1980-01-01T00:00:00', 'Africa/Monrovia', '1980-01-01T00:00:00+00:00'],
  ])('reads %s in the zone %s as %s', (time, zone, expected) => {
    expect(readTime(time, { zone })).toBe(expected);
  });
});

describe('a time outside the years 0 to 9999 of UTC', () => {
  it.each([
    ['0000-01-01T00:30:00+01:00', undefined],
    ['0000-01-01T00:30:00Z', '0000-01-01T00:30:00Z'],
    ['9999-12-31T23:30:00-01:00', undefined],
    ['9999-12-31T23:30:00Z', '9999-12-31T23:30:00Z'],
    ['253402300800', undefined],
    ['99999999999999999999', undefined],
  ])('reads %s as %s', (time, expected) => {
    expect(readTime(time, { unit: 'seconds' })).toBe(expected);
  });
});

/** Of any value, in or out of range. */
const number = (digits: number) =>
  fc.integer({ min: 0, max: 10 ** digits - 1 }).map((n) => `${n}`.padStart(digits, '0'));
const dateTimes = fc
  .tuple(
    number(4),
    number(2),
    number(2),
    number(2),
    number(2),
    number(2),
    fc.constantFrom('', 'Z', '+24', '-23:59', '+0130'),
  )
  .map(
    ([year, month, day, hour, minute, second, offset]) =>
      `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`,
  );
/** Of days that exist, as local times. */
const localTimes = fc
  .date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19));

describe('a time of any text', () => {
  it('is a timestamp of the years 0 to 9999, or none, in any zone', () => {
    const texts = fc.oneof(localTimes, dateTimes, fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String), fc.string());
    const times = fc.record({ zone: fc.constantFrom(...zones), unit: fc.constantFrom('seconds', 'milliseconds') });
    fc.assert(
      fc.property(texts, times, (text, given) => {
        const time = readTime(text, given);
        if (time === undefined) return;
        expect(timestamp.parse(time)).toBe(time);
        expect(new Date(time).toISOString()).toMatch(/^\d{4}-/);
      }),
      { numRuns: size(1_000, 20_000) },
    );
  });
});
