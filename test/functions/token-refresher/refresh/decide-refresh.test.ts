import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRefresh, nextPace, type RefreshDecision } from '#functions/token-refresher/refresh/decide-refresh.ts';
import { digestToken, refreshInterval, type StoredToken } from '#shared/secrets/platform-token.ts';
import { size } from '#test/full-size.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.parse('2026-01-02T03:00:00Z');

/** A token issued at the start, for an hour unless said otherwise. */
function tokenOf(lifetime = hour, more: Partial<StoredToken> = {}): StoredToken {
  const [issuedAt, expiresAt] = [new Date(start), new Date(start + lifetime)];
  return { accessToken: 'stored', issuedAt, expiresAt, pacedUntil: issuedAt, ...more };
}

/** What is decided so long after the start. */
function decide(age: number, token = tokenOf(), rejected?: string): RefreshDecision {
  const rejectedToken = rejected === undefined ? undefined : digestToken(rejected);
  return decideRefresh({ token, rejectedToken, now: new Date(start + age) });
}

const keep: RefreshDecision = { action: 'keep' };
const refreshBecause = (reason: string) => ({ action: 'refresh', reason });

describe('decideRefresh: less than half the lifetime is left, or would be before the next run', () => {
  it.each([
    [0, keep],
    [25 * minute, keep],
    [25 * minute + 1, refreshBecause('HALF_SPENT')],
    [30 * minute, refreshBecause('HALF_SPENT')],
    [hour - 1, refreshBecause('HALF_SPENT')],
    [hour, refreshBecause('HALF_SPENT')],
    [day, refreshBecause('HALF_SPENT')],
  ])('judges a token of an hour by its age: %d ms', (age, decision) => {
    expect(decide(age)).toEqual(decision);
  });

  it('refreshes where no token is stored', () => {
    expect(decideRefresh({ token: undefined, rejectedToken: undefined, now: new Date(start) })).toEqual(
      refreshBecause('NO_TOKEN'),
    );
  });

  it('refreshes a young token when an operator forces a refresh', () => {
    const situation = { token: tokenOf(), rejectedToken: undefined, now: new Date(start) };
    expect(decideRefresh({ ...situation, isForced: true })).toEqual(refreshBecause('FORCED'));
    expect(decideRefresh({ ...situation, isForced: false })).toEqual(keep);
  });

  it('refreshes the token that the stacks are created with', () => {
    const never = new Date(0);
    expect(decide(0, tokenOf(0, { issuedAt: never, expiresAt: never, pacedUntil: never }))).toEqual(
      refreshBecause('HALF_SPENT'),
    );
  });

  it('section 8: never lets half a lifetime pass between two runs, for any lifetime', () => {
    const lifetimes = fc.integer({ min: 1_000, max: 30 * day });
    fc.assert(
      fc.property(lifetimes, fc.double({ min: 0, max: 2, noNaN: true }), (lifetime, fraction) => {
        const age = Math.floor(lifetime * fraction);
        const isKept = decide(age, tokenOf(lifetime)).action === 'keep';
        expect(isKept).toBe(lifetime - age - refreshInterval >= lifetime / 2);
      }),
    );
  });
});

describe("promise 7: a token service that is down for less than half a token's lifetime fails no call", () => {
  const retryInterval = 2 * minute;
  type Outage = { readonly firstRun: number; readonly from: number; readonly duration: number };

  /** How long there was no valid token, with tokens of an hour: the longest of all times within five hours. */
  function longestGap({ firstRun, from, duration }: Outage): number {
    let token = tokenOf();
    let gap = 0;
    // The queue hands out nothing else while a message fails.
    for (let time = start + firstRun; time < start + 5 * hour; ) {
      const now = new Date(time);
      const isDown = time >= start + from && time < start + from + duration;
      const isNeeded = decideRefresh({ token, rejectedToken: undefined, now }).action === 'refresh';
      if (isNeeded && !isDown) {
        gap = Math.max(gap, time - token.expiresAt.getTime());
        token = { ...token, issuedAt: now, expiresAt: new Date(time + hour), pacedUntil: nextPace(token, now) };
      }
      time += isNeeded && isDown ? retryInterval : refreshInterval;
    }
    return gap;
  }

  const outage = fc.record({
    firstRun: fc.integer({ min: 0, max: refreshInterval - 1 }),
    from: fc.integer({ min: 0, max: 3 * hour }),
    duration: fc.integer({ min: 0, max: 28 * minute }),
  });

  it('holds whenever the service goes down, for up to 28 minutes with tokens of an hour', () => {
    fc.assert(
      fc.property(outage, (one) => {
        expect(longestGap(one)).toBe(0);
      }),
      { numRuns: size(300, 2_000) },
    );
  });

  it('fails calls in a longer outage until its end, and two minutes more', () => {
    expect(longestGap({ firstRun: 0, from: 0, duration: 90 * minute })).toBeGreaterThan(29 * minute);
    fc.assert(
      fc.property(outage, (one) => {
        const duration = 90 * minute;
        expect(longestGap({ ...one, duration })).toBeLessThanOrEqual(duration - 30 * minute + retryInterval);
      }),
    );
  });
});

describe('failure mode: compare and invalidate. A report names the token that it is about', () => {
  it('refreshes the stored token that a report names, however young the token is', () => {
    expect(decide(0, tokenOf(), 'stored')).toEqual(refreshBecause('REJECTED'));
  });

  it('ignores a report that names any other token', () => {
    fc.assert(
      fc.property(fc.string(), (other) => {
        fc.pre(other !== 'stored');
        expect(decide(0, tokenOf(), other)).toEqual(keep);
        expect(decide(40 * minute, tokenOf(), other)).toEqual(refreshBecause('HALF_SPENT'));
      }),
    );
  });
});

describe('failure mode: versions of a secret. There are never more than 92 new ones in a day', () => {
  type Need = { readonly after: number; readonly isRejected: boolean; readonly lifetime: number };

  /** Runs the refresher at these times, each new token of so long a life, and tells when it was refreshed. */
  function run(needs: readonly Need[]): readonly number[] {
    const refreshed: number[] = [];
    let token = tokenOf();
    let time = start;
    for (const { after, isRejected, lifetime } of needs) {
      time += after;
      const now = new Date(time);
      const rejectedToken = isRejected ? digestToken(token.accessToken) : undefined;
      if (decideRefresh({ token, rejectedToken, now }).action !== 'refresh') continue;
      refreshed.push(time);
      const pacedUntil = nextPace(token, now);
      token = { accessToken: `token-${time}`, issuedAt: now, expiresAt: new Date(time + lifetime), pacedUntil };
    }
    return refreshed;
  }

  function maxPerDay(times: readonly number[]): number {
    return Math.max(0, ...times.map((first) => times.filter((time) => time >= first && time < first + day).length));
  }

  it('holds for any reports at any times and for any lifetime', () => {
    const need = fc.record({
      after: fc.integer({ min: 1, max: 20 * minute }),
      isRejected: fc.boolean(),
      lifetime: fc.integer({ min: 1, max: 2 * hour }),
    });
    fc.assert(
      fc.property(fc.array(need, { minLength: 100, maxLength: 400 }), (needs) => {
        expect(maxPerDay(run(needs))).toBeLessThanOrEqual(92);
      }),
      { numRuns: 50 },
    );
  });

  it('holds when every token is refused immediately', () => {
    const needs = Array.from({ length: 2_000 }, () => ({ after: 2 * minute, isRejected: true, lifetime: hour }));
    expect(maxPerDay(run(needs))).toBeLessThanOrEqual(92);
    expect(maxPerDay(run(needs))).toBeGreaterThan(88);
  });

  it('holds where tokens live for five minutes', () => {
    const needs = Array.from({ length: 600 }, () => ({ after: 5 * minute, isRejected: false, lifetime: 5 * minute }));
    expect(maxPerDay(run(needs))).toBeLessThanOrEqual(92);
  });

  it('refreshes at most once in ten minutes in a steady state: with tokens of an hour, once in 30', () => {
    const needs = Array.from({ length: 600 }, () => ({ after: refreshInterval, isRejected: false, lifetime: hour }));
    const times = run(needs);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(new Set(gaps)).toEqual(new Set([30 * minute]));
  });

  it('holds up none of 20 refreshes that are needed together, and the next for at most 20 minutes', () => {
    const atOnce = Array.from({ length: 25 }, () => ({ after: 0, isRejected: true, lifetime: hour }));
    const later = { after: 20 * minute, isRejected: true, lifetime: hour };
    expect(run(atOnce)).toHaveLength(20);
    expect(run([...atOnce, later])).toHaveLength(21);
  });

  it('says why it waits', () => {
    const token = tokenOf(hour, { pacedUntil: new Date(start + 400 * minute) });
    expect(decide(0, token, 'stored')).toEqual({ action: 'wait', reason: 'REJECTED' });
    expect(decide(0, token)).toEqual(keep);
  });

  it('waits for at most 20 minutes with any stored pace', () => {
    const token = tokenOf(hour, { pacedUntil: new Date(start + 1_000 * day) });
    const next = tokenOf(hour, { pacedUntil: new Date(start + 400 * minute) });
    expect(decide(0, token, 'stored')).toEqual({ action: 'wait', reason: 'REJECTED' });
    expect(nextPace(token, new Date(start))).toEqual(nextPace(next, new Date(start)));
  });
});
