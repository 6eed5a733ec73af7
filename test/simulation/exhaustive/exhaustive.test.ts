import { beforeAll, describe, expect, it } from 'vitest';
import type { FaultKind } from '#test/simulation/faults/fault-kinds.ts';
import { observedFaults } from '#test/simulation/faults/fault-kinds.ts';
import { type ExhaustiveResult, runExhaustive } from './run-exhaustive.ts';
import { eventCounts } from './small-history.ts';

const crashes = ['crash before an I/O', 'crash after an I/O'] as const;

let singles: readonly ExhaustiveResult[];
let pairsOfCrashes: readonly ExhaustiveResult[];
beforeAll(async () => {
  singles = await runExhaustive({ seed: 1, events: eventCounts, most: 1, workers: 2 });
  pairsOfCrashes = await runExhaustive({ seed: 1, events: [1], most: 2, workers: 2, kinds: crashes });
}, 900_000);

/** How many faults happened, of those that were enumerated. */
function happened({ counts }: ExhaustiveResult): number {
  const isObserved = (kind: FaultKind) => observedFaults.some((one) => one === kind);
  return [...counts].reduce((sum, [kind, count]) => (isObserved(kind) ? sum : sum + count), 0);
}

/** `npm run simulate -- --exhaustive` runs all pairs of all kinds. */
describe('design: the promises hold with every fault that a small history can have', () => {
  it.each(eventCounts)('of %i events', (events) => {
    const result = singles.find((one) => one.events === events);
    expect(result?.failures).toEqual([]);
  });

  it('each of them happened', () => {
    for (const result of singles) expect(happened(result)).toBe(result.histories[1]);
  });

  it('there are several for each I/O, and more I/Os with each event', () => {
    const ios = singles.map((result) => result.ios);
    expect(ios.toSorted((one, other) => one - other)).toEqual(ios);
    for (const { ios: some, histories } of singles) expect(histories[1]).toBeGreaterThan(some * 9);
  });

  it('and with every pair of crashes', () => {
    const [result] = pairsOfCrashes;
    const [none, each, pairs = 0] = result?.histories ?? [];
    expect(result?.failures).toEqual([]);
    expect([none, each]).toEqual([1, 2 * (result?.ios ?? 0)]);
    expect(pairs).toBeGreaterThan(100);
    expect(result && happened(result)).toBe((each ?? 0) + 2 * pairs);
  });
});
