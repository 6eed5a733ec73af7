import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTimestamps, createVirtualClock, type VirtualClock } from '#sandbox/platform/core/clock.ts';
import { compareTimestamps, timestamp } from '#shared/platform/fields/timestamp.ts';

const start = new Date('2026-11-21T08:00:00Z');

let errors: unknown[];
let done: string[];
beforeEach(() => {
  errors = [];
  done = [];
});
afterEach(() => vi.useRealTimers());

function createClock(frozenAt?: Date, now = () => new Date()): VirtualClock {
  return createVirtualClock({ now, frozenAt, onError: (error) => errors.push(error) });
}

/** Seconds since it began. */
const timeOf = (clock: VirtualClock) => (clock.now().getTime() - start.getTime()) / 1_000;

/** Does this so late, and writes down when. */
const note = (clock: VirtualClock, name: string, seconds: number) =>
  clock.after(seconds, () => void done.push(`${name} at ${timeOf(clock)}`));

describe('sandbox platform: a running virtual clock', () => {
  beforeEach(() => vi.useFakeTimers({ now: start }));

  it("runs work that is due in a month, beyond the range of Node's timers", () => {
    const clock = createClock();
    note(clock, 'later', 30 * 86_400);
    vi.advanceTimersByTime(30 * 86_400_000 - 1);
    expect(done).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(done).toEqual([`later at ${30 * 86_400}`]);
  });

  it('never goes back when the real clock does', () => {
    const clock = createClock();
    vi.advanceTimersByTime(10_000);
    expect(timeOf(clock)).toBe(10);
    vi.setSystemTime(new Date(start.getTime() - 3_600_000));
    expect(timeOf(clock)).toBe(10);
    vi.advanceTimersByTime(1_000);
    expect(timeOf(clock)).toBe(11);
  });
});

describe('sandbox platform: freezing and resuming the virtual clock', () => {
  beforeEach(() => vi.useFakeTimers({ now: start }));

  it('runs no work while frozen, then continues from the frozen time with the remaining delays', () => {
    const clock = createClock();
    note(clock, 'later', 5);
    vi.advanceTimersByTime(2_000);
    clock.freeze();
    vi.advanceTimersByTime(3_600_000);
    expect([timeOf(clock), clock.isFrozen(), done]).toEqual([2, true, []]);
    clock.resume();
    vi.advanceTimersByTime(2_999);
    expect(done).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(done).toEqual(['later at 5']);
    expect(clock.isFrozen()).toBe(false);
  });

  it('starts frozen at the given time, in any year', () => {
    const clock = createClock(new Date('2031-01-01T00:00:00Z'));
    vi.advanceTimersByTime(1_000);
    expect(clock.now()).toEqual(new Date('2031-01-01T00:00:00Z'));
    expect(clock.isFrozen()).toBe(true);
  });
});

describe('sandbox platform: advancing the virtual clock', () => {
  it('runs work that other work has scheduled, at its time', async () => {
    const clock = createClock(start);
    clock.after(1, () => {
      note(clock, 'follows', 1);
      note(clock, 'immediately', 0);
      note(clock, 'too late', 10);
    });
    note(clock, 'other', 1.5);
    await clock.advance(3);
    expect(done).toEqual(['immediately at 1', 'other at 1.5', 'follows at 2']);
  });

  it('waits for asynchronous work before it continues', async () => {
    const clock = createClock(start);
    clock.after(1, async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      done.push(`slow at ${timeOf(clock)}`);
    });
    note(clock, 'next', 2);
    await clock.advance(2);
    expect(done).toEqual(['slow at 1', 'next at 2']);
  });

  it('runs two concurrent advances one after the other', async () => {
    const clock = createClock(start);
    note(clock, 'a', 1);
    note(clock, 'b', 3);
    const first = clock.advance(2).then(() => done.push(`first is over at ${timeOf(clock)}`));
    const second = clock.advance(2).then(() => done.push(`second is over at ${timeOf(clock)}`));
    await Promise.all([first, second]);
    expect(timeOf(clock)).toBe(4);
    expect(done).toEqual(['a at 1', expect.stringContaining('first is over'), 'b at 3', 'second is over at 4']);
  });

  it('advances to the millisecond, however the seconds are written', async () => {
    const clock = createClock(start);
    for (let step = 0; step < 100; step += 1) await clock.advance(0.07);
    expect(timeOf(clock)).toBe(7);
  });

  it('runs every work once, at its time and in order, for any timers and advances', async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 20 });
    const moves = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(delays, moves, async (seconds, advances) => {
        const clock = createClock(start);
        const happened: { readonly wanted: number; readonly at: number }[] = [];
        for (const wanted of seconds) clock.after(wanted, () => void happened.push({ wanted, at: timeOf(clock) }));
        for (const advance of advances) await clock.advance(advance);
        const end = advances.reduce((sum, advance) => sum + advance, 0);
        // What is due now is done by the next move, even by one of nothing.
        const due = advances.length === 0 ? [] : seconds.filter((wanted) => wanted <= end);
        expect(happened).toEqual(due.toSorted((one, other) => one - other).map((wanted) => ({ wanted, at: wanted })));
      }),
    );
  });
});

describe('sandbox platform: the virtual clock waits for ongoing work', () => {
  it('waits before it advances and before each due work', async () => {
    const clock = createClock(start);
    const wait = async (name: string) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      done.push(`${name} at ${timeOf(clock)}`);
    };
    void clock.during(wait('begun before'));
    clock.after(1, () => void clock.during(wait('begun on the way')));
    note(clock, 'next', 2);
    await clock.advance(2);
    expect(done).toEqual(['begun before at 0', 'begun on the way at 1', 'next at 2']);
  });

  it('runs on the way what the end of the work schedules', async () => {
    const clock = createClock(start);
    void clock.during(new Promise((resolve) => setTimeout(resolve, 10))).then(() => note(clock, 'again', 1));
    await clock.advance(5);
    expect(done).toEqual(['again at 1']);
  });

  it('advances although new work begins again and again', async () => {
    const clock = createClock(start);
    let isOver = false;
    const drive = async (): Promise<void> => {
      while (!isOver) await clock.during(new Promise((resolve) => setImmediate(resolve)));
    };
    const driven = drive();
    note(clock, 'timer', 1);
    await clock.advance(2);
    isOver = true;
    await driven;
    expect(done).toEqual(['timer at 1']);
  });
});

describe('sandbox platform: the virtual clock and failing work', () => {
  it('reports the failure, runs the other due work and continues', async () => {
    const clock = createClock(start);
    clock.after(1, () => {
      throw new Error('thrown');
    });
    clock.after(1, () => Promise.reject(new Error('rejected')));
    note(clock, 'beside it', 1);
    note(clock, 'after it', 2);
    await clock.advance(2);
    expect(done).toEqual(['beside it at 1', 'after it at 2']);
    expect(errors).toEqual([new Error('thrown'), new Error('rejected')]);
  });
});

describe('sandbox platform: closing the virtual clock', () => {
  it('leaves no timer of Node behind', () => {
    vi.useFakeTimers({ now: start });
    const clock = createClock();
    note(clock, 'later', 5);
    expect(vi.getTimerCount()).toBe(1);
    clock.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

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

  it('distinguishes times within a millisecond by nanoseconds', () => {
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
