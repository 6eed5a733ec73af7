import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Arrival,
  createWorld,
  type Fault,
  faultKinds,
  settle,
  type World,
  type WorldOptions,
} from './drain-world.ts';
import { cursorKinds, listEnds, listOrders, tieRules } from './model-platform.ts';

/** The last I/O at which something may happen. */
const last = 250;

const arrivalOf = (at: fc.Arbitrary<number>): fc.Arbitrary<Arrival> =>
  fc.record({
    at,
    lateness: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: settle - 2_000 })),
    flaw: fc.oneof(
      { weight: 6, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom('no createdOn', 'no id', 'no body', 'null', 'no JSON', 'other id') },
    ),
    repeats: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  }) as fc.Arbitrary<Arrival>;

/** A platform of any kind, what comes to light while it is drained, and what goes wrong. */
const world: fc.Arbitrary<{ readonly options: WorldOptions; readonly first: readonly Arrival[] }> = fc.record({
  first: fc.array(arrivalOf(fc.constant(0)), { maxLength: 25 }),
  options: fc.record({
    order: fc.constantFrom(...listOrders),
    cursors: fc.constantFrom(...cursorKinds),
    end: fc.constantFrom(...listEnds),
    ties: fc.constantFrom(...tieRules),
    unknownMark: fc.constantFrom(400, 404),
    arrivals: fc.array(arrivalOf(fc.integer({ min: 1, max: last })), { maxLength: 25 }),
    faults: fc.array(
      fc.record({ at: fc.integer({ min: 1, max: last }), kind: fc.constantFrom(...faultKinds) }) as fc.Arbitrary<Fault>,
      { maxLength: 10 },
    ),
    skew: fc.constantFrom(0, -86_400_000, 86_400_000, 1_234),
    digits: fc.constantFrom(0, 3),
    durations: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })), { minLength: 1, maxLength: 5 }),
    turns: fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 7 }),
  }),
}) as fc.Arbitrary<{ readonly options: WorldOptions; readonly first: readonly Arrival[] }>;

function worldOf({ options, first }: { readonly options: WorldOptions; readonly first: readonly Arrival[] }): World {
  const made = createWorld(options);
  for (const arrival of first) made.arrive(arrival);
  return made;
}

/** Those that could be marked by their id, and are still there. */
function markable({ platform }: World): readonly string[] {
  return platform
    .records()
    .filter(
      ({ id, shown }) => JSON.stringify(shown).includes(`"id":"${id}"`) && JSON.stringify(shown).includes('createdOn'),
    )
    .map(({ id }) => id);
}

/** Runs until nothing can go wrong any more, and then as many times as it takes. */
async function drainAll(made: World, atOnce = 1): Promise<void> {
  for (let left = 12; made.count() <= last + 10 || (left > 0 && markable(made).length > 0); ) {
    if (made.count() > last + 10) left -= 1;
    await Promise.all(Array.from({ length: atOnce }, () => made.drain()));
    made.wait(5 * 60_000);
  }
}

describe('promise 5: nothing is marked that is not committed', () => {
  it('whatever the platform does, whatever comes meanwhile, and whatever fails; and in the end all is marked', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const made = worldOf(given);
        await drainAll(made);
        expect(made.lost).toEqual([]);
        expect(markable(made)).toEqual([]);
      }),
      { numRuns: Number(process.env.RUNS ?? 300) },
    );
  });

  it('nor when runs overlap', async () => {
    await fc.assert(
      fc.asyncProperty(world, fc.integer({ min: 2, max: 3 }), async (given, atOnce) => {
        const made = worldOf(given);
        await drainAll(made, atOnce);
        expect(made.lost).toEqual([]);
        expect(markable(made)).toEqual([]);
      }),
      { numRuns: Number(process.env.RUNS ?? 300) },
    );
  });
});
