import { describe, expect, it } from 'vitest';
import { runExhaustive } from './run-exhaustive.ts';

/** `exhaustive.deep.test.ts` and `npm run simulate -- --exhaustive` run larger histories, and pairs of faults. */
describe('the smallest history of the simulation', () => {
  it('keeps every promise with each fault at each I/O', async () => {
    const [result] = await runExhaustive({ seed: 1, names: [1], maxFaults: 1, workers: 2 });
    expect(result?.failures).toEqual([]);
    expect(result?.histories[1]).toBeGreaterThan(9 * (result?.ios ?? 0));
  });
});
