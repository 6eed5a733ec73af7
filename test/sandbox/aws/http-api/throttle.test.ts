import { describe, expect, it } from 'vitest';
import { createThrottle } from '#sandbox/aws/http-api/throttle.ts';

const start = Date.UTC(2026, 10, 21);

/** How many of so many requests at a time may pass. */
function passed(admit: (time: number) => boolean, requests: number, time: number): number {
  return Array.from({ length: requests }, () => admit(time)).filter(Boolean).length;
}

describe('sandbox aws: createThrottle', () => {
  it('allows as many concurrent requests as the burst', () => {
    expect(passed(createThrottle({ rate: 1, burst: 5 }), 10, start)).toBe(5);
  });

  it('allows further requests at the configured rate', () => {
    const admit = createThrottle({ rate: 10, burst: 5 });
    passed(admit, 5, start);
    expect(passed(admit, 10, start + 99)).toBe(0);
    expect(passed(admit, 10, start + 300)).toBe(3);
  });

  it('accumulates no more requests than the burst', () => {
    const admit = createThrottle({ rate: 10, burst: 5 });
    passed(admit, 5, start);
    expect(passed(admit, 100, start + 60_000)).toBe(5);
  });

  it('allows no request with a burst of 0', () => {
    expect(passed(createThrottle({ rate: 0, burst: 0 }), 3, start)).toBe(0);
  });
});
