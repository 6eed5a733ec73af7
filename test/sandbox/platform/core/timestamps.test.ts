import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTimestamps } from '#sandbox/platform/core/timestamps.ts';
import { compareTimestamps, timestamp } from '#shared/platform/fields/timestamp.ts';

const start = new Date('2026-11-21T08:00:00Z');

describe('sandbox platform: the format of timestamps (section 2)', () => {
  it.each([
    ['2026-11-21T08:00:00.000Z', '2026-11-21T08:00:00Z'],
    ['2026-11-21T08:00:00.100Z', '2026-11-21T08:00:00.1Z'],
    ['2026-11-21T08:00:00.120Z', '2026-11-21T08:00:00.12Z'],
    ['2026-11-21T08:00:00.123Z', '2026-11-21T08:00:00.123Z'],
    ['2026-11-21T08:00:00.003Z', '2026-11-21T08:00:00.003Z'],
    ['1999-12-31T23:59:59.999Z', '1999-12-31T23:59:59.999Z'],
  ])('formats %s as %s, with no more digits than needed', (now, text) => {
    expect(createTimestamps(() => new Date(now))()).toBe(text);
  });

  it('tells times within a millisecond apart by nanoseconds', () => {
    const next = createTimestamps(() => start);
    expect([next(), next(), next()]).toEqual([
      '2026-11-21T08:00:00Z',
      '2026-11-21T08:00:00.000000001Z',
      '2026-11-21T08:00:00.000000002Z',
    ]);
    for (let count = 3; count < 10; count += 1) next();
    expect(next()).toBe('2026-11-21T08:00:00.00000001Z');
  });
});

describe('sandbox platform: the order of timestamps (section 2)', () => {
  it('makes each timestamp later than the last, even if the clock does not advance', () => {
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
