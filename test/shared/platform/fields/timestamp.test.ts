import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTimestamps, timestamp } from '#shared/platform/fields/timestamp.ts';
import { size } from '#test/full-size.ts';

const digits = fc.integer({ min: 0, max: 9 }).chain((length) => fc.stringMatching(new RegExp(`^\\d{${length}}$`)));
const moments = fc.record({
  seconds: fc.integer({ min: Date.parse('1900-01-01') / 1_000, max: Date.parse('2199-12-31') / 1_000 }),
  fraction: digits,
});
/** Often in the same second, so that the fraction decides. */
const pairs = fc.oneof(
  fc.tuple(moments, moments),
  fc.tuple(moments, digits).map(([one, fraction]) => [one, { ...one, fraction }] as const),
);

function write({ seconds, fraction }: { readonly seconds: number; readonly fraction: string }): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z`;
}

function nanoseconds({ seconds, fraction }: { readonly seconds: number; readonly fraction: string }): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}

describe('section 2, date-time: timestamps are compared exactly, to the nanosecond', () => {
  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000000000Z', 0],
    ['2026-01-02T03:04:05.1Z', '2026-01-02T03:04:05.100Z', 0],
    ['2026-01-02T03:04:05.000000001Z', '2026-01-02T03:04:05Z', 1],
    ['2026-01-02T03:04:05.123456789Z', '2026-01-02T03:04:05.123456788Z', 1],
    ['2026-01-02T03:04:05.9Z', '2026-01-02T03:04:05.89Z', 1],
    ['2026-01-02T03:04:05.999999999Z', '2026-01-02T03:04:06Z', -1],
    ['2026-01-02T03:04:05.5+01:00', '2026-01-02T02:04:05.5Z', 0],
    ['1969-12-31T23:59:59.9Z', '1969-12-31T23:59:59.1Z', 1],
  ])('compares %s with %s as %d', (one, other, order) => {
    expect(Math.sign(compareTimestamps(one, other))).toBe(order);
    expect(Math.sign(compareTimestamps(other, one))).toBe(0 - order);
  });

  it('agrees with nanoseconds as a BigInt, for any two of 0 to 9 digits', () => {
    fc.assert(
      fc.property(pairs, ([one, other]) => {
        const [first, second] = [nanoseconds(one), nanoseconds(other)];
        const expected = Number(first > second) - Number(first < second);
        expect(timestamp.safeParse(write(one)).success).toBe(true);
        expect(Math.sign(compareTimestamps(write(one), write(other)))).toBe(expected);
      }),
      { numRuns: size(300, 2_000) },
    );
  });
});

describe('section 2, date-time: the form of a timestamp', () => {
  it.each(['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.123456789Z', '2024-02-29T23:59:59.9+0200'])(
    'accepts the timestamp %s',
    (text) => {
      expect(timestamp.parse(text)).toBe(text);
    },
  );

  it.each([
    '',
    '2026-01-02',
    '2026-01-02T03:04Z',
    '2026-01-02T03:04:05',
    '2026-01-02 03:04:05Z',
    '2026-01-02T03:04:05.Z',
    '2026-01-02T03:04:05.1234567890Z',
    '2026-13-02T03:04:05Z',
    '2026-01-32T03:04:05Z',
    '2026-01-02T25:04:05Z',
    '2026-01-02T03:60:05Z',
    '2026-01-02T03:04:05Z\n',
  ])('refuses %j, which cannot be compared', (text) => {
    expect(timestamp.safeParse(text).success).toBe(false);
  });
});
