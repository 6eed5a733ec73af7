import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTimestamps } from '#sandbox/platform/core/timestamps.ts';
import { compareTimestamps, timestamp } from '#shared/platform/timestamp.ts';

const start = new Date('2026-11-21T08:00:00Z');

describe('section 2, date-time: timestamps are ISO 8601 in UTC, with 0 to 9 digits of a second’s fraction', () => {
  it.each([
    ['2026-11-21T08:00:00.000Z', '2026-11-21T08:00:00Z'],
    ['2026-11-21T08:00:00.100Z', '2026-11-21T08:00:00.1Z'],
    ['2026-11-21T08:00:00.120Z', '2026-11-21T08:00:00.12Z'],
    ['2026-11-21T08:00:00.123Z', '2026-11-21T08:00:00.123Z'],
    ['2026-11-21T08:00:00.003Z', '2026-11-21T08:00:00.003Z'],
    ['1999-12-31T23:59:59.999Z', '1999-12-31T23:59:59.999Z'],
  ])('at %s: %s, with no more digits than it takes', (now, text) => {
    expect(createTimestamps(() => new Date(now))()).toBe(text);
  });

  it('within a millisecond they differ by nanoseconds', () => {
    const next = createTimestamps(() => start);
    expect([next(), next(), next()]).toEqual([
      '2026-11-21T08:00:00Z',
      '2026-11-21T08:00:00.000000001Z',
      '2026-11-21T08:00:00.000000002Z',
    ]);
    for (let count = 3; count < 10; count += 1) next();
    expect(next()).toBe('2026-11-21T08:00:00.00000001Z');
  });

  it('have nine digits at the most, even the millionth and the next in one millisecond', () => {
    const next = createTimestamps(() => start);
    let last = '';
    for (let count = 0; count < 1_000_000; count += 1) last = next();
    expect(last).toBe('2026-11-21T08:00:00.000999999Z');
    expect([next(), next()]).toEqual(['2026-11-21T08:00:00.001Z', '2026-11-21T08:00:00.001000001Z']);
  });
});

describe('section 2, date-time: no two timestamps of the platform are the same, and each is later than the one before', () => {
  it('whatever the clock does, and as the client compares them', () => {
    const steps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: -5_000, max: 5_000 })), { maxLength: 50 });
    fc.assert(
      fc.property(steps, (milliseconds) => {
        let now = start.getTime();
        const next = createTimestamps(() => new Date(now));
        const written = [next()];
        for (const step of milliseconds) {
          now += step;
          written.push(next());
        }
        for (const text of written) expect(timestamp.safeParse(text).success).toBe(true);
        for (const [index, text] of written.slice(1).entries())
          expect(compareTimestamps(text, written[index] ?? '')).toBeGreaterThan(0);
      }),
    );
  });
});
