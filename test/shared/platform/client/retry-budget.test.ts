import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRetryBudget } from '#shared/platform/client/retry-policy.ts';

function takeAll(take: () => boolean): number {
  let count = 0;
  while (take()) count += 1;
  return count;
}

describe('retries: the budget', () => {
  it('allows a retry of the first call', () => {
    const budget = createRetryBudget();
    budget.addCall();
    expect(takeAll(budget.take)).toBe(1);
  });

  it('allows one more retry after every ten calls', () => {
    const budget = createRetryBudget();
    budget.addCall();
    budget.take();
    for (let round = 0; round < 100; round += 1) {
      for (let count = 0; count < 10; count += 1) {
        expect(budget.take()).toBe(false);
        budget.addCall();
      }
      expect(budget.take()).toBe(true);
    }
  });

  it('saves at most ten retries', () => {
    const budget = createRetryBudget();
    for (let count = 0; count < 1_000; count += 1) budget.addCall();
    expect(takeAll(budget.take)).toBe(10);
  });

  it('never exceeds a tenth of the calls plus one', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 2_000 }), (steps) => {
        const budget = createRetryBudget();
        let [calls, retries] = [0, 0];
        for (const isCall of steps) {
          if (isCall) budget.addCall();
          calls += Number(isCall);
          retries += Number(!isCall && budget.take());
          expect(retries).toBeLessThanOrEqual(1 + calls * 0.1);
        }
      }),
    );
  });
});

describe('retries: stale connections', () => {
  it('allows as many as were kept alive, and at most ten', () => {
    const budget = createRetryBudget();
    expect(takeAll(budget.takeConnection)).toBe(0);
    budget.addConnection();
    expect(takeAll(budget.takeConnection)).toBe(1);
    for (let count = 0; count < 100; count += 1) budget.addConnection();
    expect(takeAll(budget.takeConnection)).toBe(10);
  });
});
