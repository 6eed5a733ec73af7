import { describe, expect, it } from 'vitest';
import { type FaultKind, observedFaults } from '#test/simulation/faults/fault-kinds.ts';
import { type ExhaustiveResult, runExhaustive } from './run-exhaustive.ts';

/** The number of enumerated faults that happened. */
function happened({ counts }: ExhaustiveResult): number {
  const isObserved = (kind: FaultKind) => observedFaults.some((one) => one === kind);
  return [...counts].reduce((sum, [kind, count]) => (isObserved(kind) ? sum : sum + count), 0);
}

/** `npm run simulate -- --exhaustive`, a part of `npm run verify`, runs larger histories. */
describe('the smallest history of the simulation', () => {
  it('keeps every promise with each distinct fault at each I/O, and each of these faults happens', async () => {
    const [result] = await runExhaustive({ seed: 1, names: [1], maxFaults: 1, workers: 2 });
    expect(result?.failures).toEqual([]);
    expect(result?.histories[1]).toBeGreaterThan(7 * (result?.ios ?? 0));
    expect(result && happened(result)).toBe(result?.histories[1]);
  });
});
