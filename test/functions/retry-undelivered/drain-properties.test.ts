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

const numRuns = Number(process.env['RUNS'] ?? 150);

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
    markFaults: fc.array(fc.option(fc.constantFrom(...faultKinds), { nil: undefined }), { maxLength: 6 }),
    delay: fc.integer({ min: 1, max: 40 }),
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

/**
 * Runs until nothing can go wrong any more, and then as many times as it takes.
 *
 * @param gaps in milliseconds: how soon the next run follows, in turn
 */
async function drainAll(made: World, gaps: readonly number[], atOnce = 1): Promise<void> {
  for (let runs = 0; made.count() <= last + 50; runs += 1) {
    await Promise.all(Array.from({ length: atOnce }, () => made.drain()));
    made.wait(gaps[runs % gaps.length] ?? 0);
  }
  for (let left = 12; left > 0 && markable(made).length > 0; left -= 1) {
    made.wait(5 * 60_000);
    await made.drain();
  }
}

const gaps = fc.array(fc.constantFrom(0, 1_000, settle - 1, settle, 5 * 60_000), { minLength: 1, maxLength: 4 });

async function expectKept(made: World): Promise<void> {
  expect(made.lost).toEqual([]);
  expect(markable(made)).toEqual([]);
}

describe('promise 5: nothing is marked that is not committed and handed over, and in the end all is marked', () => {
  it('whatever the platform is like, whatever comes meanwhile, and whatever fails', async () => {
    await fc.assert(
      fc.asyncProperty(world, gaps, async (given, pauses) => {
        const made = worldOf(given);
        await drainAll(made, pauses);
        await expectKept(made);
      }),
      { numRuns },
    );
  });

  it('when runs overlap', async () => {
    await fc.assert(
      fc.asyncProperty(world, gaps, fc.integer({ min: 2, max: 3 }), async (given, pauses, atOnce) => {
        const made = worldOf(given);
        await drainAll(made, pauses, atOnce);
        await expectKept(made);
      }),
      { numRuns },
    );
  });

  it('when a mark comes late, and moves what a cursor counts', async () => {
    const failing = fc.array(fc.constantFrom('fails before', 'fails and happens later'), {
      minLength: 2,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(world, failing, async ({ options, first }, markFaults) => {
        const made = worldOf({
          options: { ...options, markFaults, cursors: 'offset', faults: [] } as WorldOptions,
          first,
        });
        await drainAll(made, [5 * 60_000]);
        await expectKept(made);
      }),
      { numRuns },
    );
  });
});
