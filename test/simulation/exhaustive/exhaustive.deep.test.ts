import { beforeAll, describe, expect, it } from 'vitest';
import { type FaultKind, observedFaults } from '#test/simulation/faults/fault-kinds.ts';
import { type ExhaustiveResult, runExhaustive } from './run-exhaustive.ts';
import { situations } from './situations.ts';
import { eventCounts, longerHistories, pairedInLonger } from './small-history.ts';

const crashes = ['crash before an I/O', 'crash after an I/O'] as const;

/** The kinds that run in situations: crashes, and the kinds that catch the situation bugs. */
const ofSituations = [...crashes, 'slow I/O', 'lost request'] as const;

let ofEvents: readonly ExhaustiveResult[];
let ofOnboarding: readonly ExhaustiveResult[];
let listsAndPersons: readonly ExhaustiveResult[];
let situated: readonly ExhaustiveResult[];
let pairsOfCrashes: readonly ExhaustiveResult[];
beforeAll(async () => {
  const options = { seed: 1, workers: 2 };
  const callers = ['api', 'advance', 'store', 'receive'];
  ofEvents = await runExhaustive({ ...options, names: eventCounts, maxFaults: 1 });
  ofOnboarding = await runExhaustive({ ...options, names: ['onboarding'], maxFaults: 1, callers });
  listsAndPersons = await runExhaustive({ ...options, names: longerHistories, maxFaults: 2, kinds: pairedInLonger });
  situated = await runExhaustive({ ...options, names: situations, maxFaults: 1, kinds: ofSituations });
  pairsOfCrashes = await runExhaustive({ ...options, names: [1], maxFaults: 2, kinds: crashes });
}, 900_000);

/** The number of enumerated faults that happened. */
function happened({ counts }: ExhaustiveResult): number {
  const isObserved = (kind: FaultKind) => observedFaults.some((one) => one === kind);
  return [...counts].reduce((sum, [kind, count]) => (isObserved(kind) ? sum : sum + count), 0);
}

/** Only `npm run verify` runs this file. `npm run simulate -- --exhaustive` also runs all pairs, and every fault of the longer histories. */
describe('the small histories', () => {
  it.each(eventCounts)('keep every promise with each fault in a history of %i events', (events) => {
    expect(ofEvents.find(({ name }) => name === events)?.failures).toEqual([]);
  });

  it('keep every promise with each fault of api, advance, store and receive in an onboarding', () => {
    const [result] = ofOnboarding;
    expect(result?.failures).toEqual([]);
    expect(result?.histories[1]).toBeGreaterThan(500);
  });

  it.each(longerHistories)(
    'keep every promise with each fault and pair of faults of lists and persons in the history: %s',
    (longer) => {
      const result = listsAndPersons.find(({ name }) => name === longer);
      const [, each = 0, pairs = 0] = result?.histories ?? [];
      expect(result?.failures).toEqual([]);
      expect(pairs).toBeGreaterThan(each);
    },
  );

  it.each(situations)('keep every promise with crashes, slow I/Os and lost requests in the situation: %s', (name) => {
    const result = situated.find((one) => one.name === name);
    expect(result?.failures).toEqual([]);
    expect(result?.histories[1]).toBeGreaterThan(2 * (result?.ios ?? 0));
  });

  it('contain every enumerated fault', () => {
    for (const result of [...ofEvents, ...ofOnboarding, ...situated])
      expect(happened(result)).toBe(result.histories[1]);
  });

  it('have several faults per I/O, and more I/Os with each event', () => {
    const ios = ofEvents.map((result) => result.ios);
    expect(ios.toSorted((one, other) => one - other)).toEqual(ios);
    for (const { ios: some, histories } of ofEvents) expect(histories[1]).toBeGreaterThan(some * 9);
  });

  it('keep every promise with every pair of crashes', () => {
    const [result] = pairsOfCrashes;
    const [none, each, pairs = 0] = result?.histories ?? [];
    expect(result?.failures).toEqual([]);
    expect([none, each]).toEqual([1, 2 * (result?.ios ?? 0)]);
    expect(pairs).toBeGreaterThan(100);
    expect(result && happened(result)).toBe((each ?? 0) + 2 * pairs);
  });
});
