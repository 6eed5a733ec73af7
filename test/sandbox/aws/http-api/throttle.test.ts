import { describe, expect, it } from 'vitest';
import { createThrottle } from '#sandbox/aws/http-api/throttle.ts';

const start = Date.UTC(2026, 10, 21);

/** How many of so many requests at a time may pass. */
function passed(admit: (time: number) => boolean, requests: number, time: number): number {
  return Array.from({ length: requests }, () => admit(time)).filter(Boolean).length;
}

describe('a throttle', () => {
  it('lets as many requests pass at once as its burst says', () => {
    expect(passed(createThrottle({ rate: 1, burst: 5 }), 10, start)).toBe(5);
  });

  it('lets as many more pass as its rate gives in the time between', () => {
    const admit = createThrottle({ rate: 10, burst: 5 });
    passed(admit, 5, start);
    expect(passed(admit, 10, start + 99)).toBe(0);
    expect(passed(admit, 10, start + 300)).toBe(3);
  });

  it('saves up no more than its burst', () => {
    const admit = createThrottle({ rate: 10, burst: 5 });
    passed(admit, 5, start);
    expect(passed(admit, 100, start + 60_000)).toBe(5);
  });

  it('lets nothing pass when it has no burst', () => {
    expect(passed(createThrottle({ rate: 0, burst: 0 }), 3, start)).toBe(0);
  });
});
