import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';
import { size } from '#test/full-size.ts';
import {
  type Arrival,
  createWorld,
  faultKinds,
  isForeign,
  settle,
  type World,
  type WorldOptions,
} from './drain-world.ts';
import { cursorKinds, listEnds, listOrders, type ModelRecord, tieRules } from './model-platform.ts';

/** The last I/O at which something comes or fails of itself. */
const last = 150;

/** `RUNS=5000 npx vitest run test/functions/retry-undelivered` looks further. */
const numRuns = size(20, Number(process.env['RUNS'] ?? 100));

const arrival: fc.Arbitrary<Arrival> = fc.record({
  at: fc.integer({ min: 1, max: last }),
  lateness: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: settle - 2_000 })),
  flaw: fc.oneof(
    { weight: 8, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('no createdOn', 'no id', 'no body', 'null', 'no JSON', 'other id') },
  ),
  isForeign: fc.oneof({ weight: 19, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  repeats: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

/** In turn; most often nothing. */
const faultsInTurn = (most: number) =>
  fc.array(fc.option(fc.constantFrom(...faultKinds), { nil: undefined, freq: 4 }), { maxLength: most });

const durations = fc.oneof(fc.integer({ min: 0, max: 500 }), fc.constant(0), fc.integer({ min: 0, max: 20_000 }));

const options: fc.Arbitrary<WorldOptions> = fc.record({
  order: fc.constantFrom(...listOrders),
  cursors: fc.constantFrom(...cursorKinds),
  end: fc.constantFrom(...listEnds),
  ties: fc.constantFrom(...tieRules),
  unknownMark: fc.constantFrom(400, 404),
  arrivals: fc.array(arrival, { maxLength: 20 }),
  faults: fc.array(fc.record({ at: fc.integer({ min: 1, max: last }), kind: fc.constantFrom(...faultKinds) }), {
    maxLength: 6,
  }),
  markFaults: faultsInTurn(6),
  pageFaults: faultsInTurn(30),
  delay: fc.integer({ min: 1, max: 40 }),
  skew: fc.constantFrom(0, -86_400_000, 86_400_000, 1_234),
  digits: fc.constantFrom(0, 3),
  durations: fc.array(durations, { minLength: 1, maxLength: 5 }),
  turns: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 7 }),
});

/** Between two runs: how long it takes, in milliseconds, and what comes at its beginning and at its end. */
const pause = fc.record({
  soon: fc.array(arrival, { maxLength: 3 }),
  gap: fc.constantFrom(0, 1_000, settle - 1, settle, settle, 5 * 60_000),
  late: fc.array(arrival, { maxLength: 3 }),
});

type Pause = { readonly soon: readonly Arrival[]; readonly gap: number; readonly late: readonly Arrival[] };

/** A platform of any kind, what it holds, what appears while it is drained, and what goes wrong. */
type Given = {
  readonly options: WorldOptions;
  readonly first: readonly Arrival[];
  readonly pauses: readonly Pause[];
};

const given: fc.Arbitrary<Given> = fc.record({
  options,
  first: fc.array(arrival, { maxLength: 15 }),
  pauses: fc.array(pause, { maxLength: 6 }),
});

/** Those that could be marked by their id, and are still there: every record of another system is newer. */
function markable({ platform }: World): readonly string[] {
  const records = platform.records();
  const foreign = records.filter(({ shown }) => isForeign(shown));
  const isTimed = ({ shown }: ModelRecord) => JSON.stringify(shown).includes('createdOn');
  if (!foreign.every(isTimed)) return [];
  return records
    .filter((record) => JSON.stringify(record.shown).includes(`"id":"${record.id}"`) && isTimed(record))
    .filter(({ createdOn }) => foreign.every((other) => compareTimestamps(createdOn, other.createdOn) < 0))
    .map(({ id }) => id);
}

/** Runs until nothing can go wrong any more, and then as many times as it takes. */
async function drainAll({ options: like, first, pauses }: Given, atOnce = 1): Promise<World> {
  const world = createWorld(like);
  for (const one of first) world.arrive(one);
  for (let runs = 0; world.count() <= last + like.delay || runs < pauses.length; runs += 1) {
    await Promise.all(Array.from({ length: atOnce }, () => world.drain()));
    const { soon, gap, late } = pauses[runs] ?? { soon: [], gap: 5 * 60_000, late: [] };
    for (const one of soon) world.arrive(one);
    world.wait(gap);
    for (const one of late) world.arrive(one);
  }
  for (let left = 20; left > 0 && markable(world).length > 0; left -= 1) {
    world.wait(5 * 60_000);
    await world.drain();
  }
  return world;
}

describe('promise 5: nothing is marked that is not committed and handed over, and in the end all is marked', {
  // Hundreds of runs on a machine that may be busy.
  timeout: 600_000,
}, () => {
  function expectKept(world: World): void {
    expect([world.lost, markable(world), world.handedOverAgain]).toEqual([[], [], []]);
  }

  it('holds for any platform, any arrivals and any failures', async () => {
    await fc.assert(
      fc.asyncProperty(given, async (one) => {
        expectKept(await drainAll(one));
      }),
      { numRuns },
    );
  });

  it('holds when runs overlap', async () => {
    await fc.assert(
      fc.asyncProperty(given, fc.integer({ min: 2, max: 3 }), async (one, atOnce) => {
        expectKept(await drainAll(one, atOnce));
      }),
      { numRuns },
    );
  });

  it('when a mark comes late, and moves what a cursor counts', async () => {
    const some = fc.array(arrival, { minLength: 1, maxLength: 6 });
    const fails = fc.array(fc.constant('fails before' as const), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(options, some, some, some, fails, async (like, first, second, third, failing) => {
        const quiet = { arrivals: [], faults: [], pageFaults: [], durations: [10], cursors: 'offset' } as const;
        const markFaults = ['fails and happens later', ...failing] as const;
        const pauses = [
          { soon: [], gap: settle, late: second },
          { soon: third, gap: settle, late: [] },
        ];
        expectKept(await drainAll({ options: { ...like, ...quiet, markFaults }, first, pauses }));
      }),
      { numRuns },
    );
  });
});
