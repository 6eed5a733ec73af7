import { describe, expect, it } from 'vitest';
import { runExhaustive } from './run-exhaustive.ts';

/** `exhaustive.deep.test.ts` and `npm run simulate -- --exhaustive` run larger histories, and pairs of faults. */
describe('design: the promises hold with every fault that the smallest history can have', () => {
  it('runs one history with each fault of each I/O, and no promise breaks', async () => {
    const [result] = await runExhaustive({ seed: 1, names: [1], maxFaults: 1, workers: 2 });
    expect(result?.failures).toEqual([]);
    expect(result?.histories[1]).toBeGreaterThan(9 * (result?.ios ?? 0));
  });
});
