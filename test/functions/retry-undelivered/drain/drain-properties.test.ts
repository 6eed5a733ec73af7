import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUndelivered } from '#functions/retry-undelivered/drain/undelivered-record.ts';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';
import { eventTypes } from '#shared/platform/profile/event-place.ts';
import { size } from '#test/full-size.ts';
import { createDrainWorld, type DrainWorld, type Gate, profile, webhooksUrl } from './drain-world.ts';
import { cursorKinds, listEnds, listOrders, type ModelRecord, tieRules } from './model-platform.ts';

/** In milliseconds: what the profile says, and what arrivals keep to. */
const settle = 60_000;
const foreignUrl = 'https://other.example/webhooks';

/** The last call at which something comes or fails of itself. */
const last = 150;

/** `RUNS=5000 npx vitest run test/functions/retry-undelivered` looks further. */
const numRuns = size(20, Number(process.env['RUNS'] ?? 100));

/** Fields that a flawed record has otherwise. */
const flaws = {
  none: {},
  'no createdOn': { createdOn: undefined },
  'no id': { id: undefined },
  'another id': { id: 'no UUID' },
  'no body': { body: undefined },
  'no JSON': { body: '{' },
  'no object': null,
} as const;

const arrival = fc.record({
  /** The number of the call before which it appears. */
  at: fc.integer({ min: 1, max: last }),
  /** In milliseconds: how much older than that its createdOn is. Less than the time that it takes to settle. */
  lateness: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: settle - 2_000 })),
  flaw: fc.oneof(
    { weight: 8, arbitrary: fc.constant('none' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...(Object.keys(flaws) as (keyof typeof flaws)[])) },
  ),
  isForeign: fc.oneof({ weight: 19, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  serial: fc.nat(30),
});
type Arrival = typeof arrival extends fc.Arbitrary<infer Value> ? Value : never;

/** What goes wrong with a call: before it has its effect, after, or before it has it late. */
const faultKinds = [
  'fails before',
  'fails after',
  'fails and happens later',
  'process dies before',
  'process dies after',
  'run is asked to stop',
  'refused',
] as const;

/** In turn; most often nothing. */
const faultsInTurn = (most: number) =>
  fc.array(fc.option(fc.constantFrom(...faultKinds), { nil: undefined, freq: 4 }), { maxLength: most });

const platform = fc.record({
  order: fc.constantFrom(...listOrders),
  cursors: fc.constantFrom(...cursorKinds),
  end: fc.constantFrom(...listEnds),
  ties: fc.constantFrom(...tieRules),
  unknownMark: fc.constantFrom(400 as const, 404 as const),
  skew: fc.constantFrom(0, -86_400_000, 86_400_000, 1_234),
});

const trouble = fc.record({
  arrivals: fc.array(arrival, { maxLength: 20 }),
  faults: fc.array(fc.record({ at: fc.integer({ min: 1, max: last }), kind: fc.constantFrom(...faultKinds) }), {
    maxLength: 6,
  }),
  /** What goes wrong with the marks, and with the pages, in turn. */
  markFaults: faultsInTurn(6),
  pageFaults: faultsInTurn(30),
  /** In calls: how late what happens later happens. */
  delay: fc.integer({ min: 1, max: 40 }),
  /** In milliseconds: how long a call takes, in turn. */
  durations: fc.array(fc.oneof(fc.integer({ min: 0, max: 500 }), fc.constant(0), fc.integer({ min: 0, max: 20_000 })), {
    minLength: 1,
    maxLength: 5,
  }),
  /** How many turns others get before a call, in turn. */
  turns: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 7 }),
  /** Whether the platform's clock has whole seconds only. */
  isCoarse: fc.boolean(),
});

/** Between two runs: how long it takes, in milliseconds, and what comes at its beginning and at its end. */
const pause = fc.record({
  soon: fc.array(arrival, { maxLength: 3 }),
  gap: fc.constantFrom(0, 1_000, settle - 1, settle, settle, 5 * 60_000),
  late: fc.array(arrival, { maxLength: 3 }),
});

/** A platform of any kind, what it holds, what appears while it is drained, and what goes wrong. */
const given = fc.record({
  platform,
  trouble,
  first: fc.array(arrival, { maxLength: 15 }),
  pauses: fc.array(pause, { maxLength: 6 }),
  /** How many runs overlap. */
  atOnce: fc.constantFrom(1, 1, 2, 3),
});
type Given = typeof given extends fc.Arbitrary<infer Value> ? Value : never;

/** With nine digits, so that the model platform sorts it as text. The list has the same time, written in one of several ways. */
function arrive({ add, clock }: DrainWorld, { isCoarse }: Given['trouble'], arriving: Arrival): void {
  const { lateness, flaw, isForeign, serial } = arriving;
  const time = new Date(clock.time - lateness).toISOString();
  const createdOn = isCoarse ? time.replace(/\.\d+Z/, '.000000000Z') : time.replace('Z', '000000Z');
  const written = [createdOn, createdOn.replace(/\.?0+Z$/, 'Z'), createdOn.replace('Z', '+00:00')][serial % 3];
  const webhook = { eventType: eventTypes[serial % 3], url: `${isForeign ? foreignUrl : webhooksUrl}/a` };
  const whole = { webhook, body: `{"serial":${serial}}`, createdOn: written };
  add(flaws[flaw] && { ...whole, ...flaws[flaw] }, createdOn);
}

const isForeign = ({ shown }: ModelRecord) => JSON.stringify(shown).includes(foreignUrl);

/** Ours, committed, all of it, and handed over. */
function isSafe(world: DrainWorld, record: ModelRecord): boolean {
  const bytes = Buffer.from(JSON.stringify(record.shown));
  const { pieces } = readUndelivered({ value: record.shown, bytes }, { profile, now: () => new Date(0) });
  const isStored = ({ event, delivery }: (typeof pieces)[number]) =>
    world.row(event.eventId)?.deliveryIds.some((id) => id.endsWith(`#${delivery.deliveryId}`)) === true;
  return !isForeign(record) && pieces.every((one) => isStored(one) && world.wasHandedOver(one.event.eventId));
}

/** Those that could be marked by their id, and are still there: every record of another system is newer. */
function markable({ platform: { records } }: DrainWorld): readonly ModelRecord[] {
  const isTimed = ({ shown }: ModelRecord) => JSON.stringify(shown).includes('createdOn');
  const foreign = records().filter(isForeign);
  if (!foreign.every(isTimed)) return [];
  return records().filter(
    (record) =>
      isTimed(record) &&
      JSON.stringify(record.shown).includes(`"id":"${record.id}"`) &&
      foreign.every(({ createdOn }) => compareTimestamps(record.createdOn, createdOn) < 0),
  );
}

/** Has runs fail as the test says, each in a process of its own. Resolves when a run has ended, or has died. */
function createFailingRuns(world: DrainWorld, all: Given['trouble']) {
  const { arrivals, faults, markFaults, pageFaults, delay, durations, turns } = all;
  let [calls, marks, pages] = [0, 0, 0];
  const later: { readonly at: number; readonly perform: () => unknown }[] = [];

  async function run(): Promise<void> {
    const process = new AbortController();
    const stop = new AbortController();
    const died = Promise.withResolvers<void>();
    process.signal.addEventListener('abort', () => died.resolve());
    const unlessDead = () => (process.signal.aborted ? new Promise<never>(() => undefined) : undefined);
    const gate: Gate = async ({ operation, perform, refuse }) => {
      calls += 1;
      const at = calls;
      const inTurn = { mark: () => markFaults[marks++], list: () => pageFaults[pages++] };
      const own = operation === 'mark' || operation === 'list' ? inTurn[operation]() : undefined;
      for (let turn = turns[at % turns.length] ?? 0; turn > 0; turn -= 1) await Promise.resolve();
      await unlessDead();
      world.clock.time += durations[at % durations.length] ?? 0;
      for (const one of arrivals) if (one.at === at) arrive(world, all, one);
      const due = later.filter((one) => one.at <= at);
      for (const one of due) {
        later.splice(later.indexOf(one), 1);
        await Promise.try(one.perform).catch(() => undefined);
      }
      const kind = own ?? faults.find((one) => one.at === at)?.kind;
      if (kind === 'run is asked to stop') stop.abort();
      if (kind === 'process dies before') process.abort();
      await unlessDead();
      if (kind === 'fails and happens later') later.push({ at: at + delay, perform });
      if (kind === 'fails before' || kind === 'fails and happens later') throw new TypeError('It fails.');
      if (kind === 'refused' && refuse) return refuse();
      if (kind === 'refused') throw new TypeError('It is refused.');
      const answer = await perform();
      if (kind === 'process dies after') process.abort();
      await unlessDead();
      if (kind === 'fails after') throw new TypeError('Its answer is lost.');
      return answer;
    };
    await Promise.race([world.run({ stop: stop.signal, gate }), died.promise]).catch(() => undefined);
  }

  return { run, isOver: () => calls > last + delay };
}

/** Runs until nothing can go wrong any more, and then as many times as it takes. */
async function expectKept({ platform: like, trouble: all, first, pauses, atOnce }: Given): Promise<void> {
  const world = createDrainWorld({ ...like, settle });
  const lost: ModelRecord[] = [];
  world.platform.onMark((marked) => lost.push(...marked.filter((record) => !isSafe(world, record))));
  const { run, isOver } = createFailingRuns(world, all);
  for (const one of first) arrive(world, all, one);
  for (let runs = 0; !isOver() || runs < pauses.length; runs += 1) {
    await Promise.all(Array.from({ length: atOnce }, run));
    const { soon, gap, late } = pauses[runs] ?? { soon: [], gap: 5 * 60_000, late: [] };
    for (const one of soon) arrive(world, all, one);
    world.clock.time += gap;
    for (const one of late) arrive(world, all, one);
  }
  for (let left = 20; left > 0 && markable(world).length > 0; left -= 1) {
    world.clock.time += 5 * 60_000;
    await run();
  }
  expect({ lost, left: markable(world) }).toEqual({ lost: [], left: [] });
}

describe('promise 5: only what is committed is marked', {
  // Hundreds of runs on a machine that may be busy.
  timeout: 600_000,
}, () => {
  it('holds for any platform, arrivals, failures and overlapping runs, and in the end all is marked', async () => {
    await fc.assert(fc.asyncProperty(given, expectKept), { numRuns: 2 * numRuns });
  });

  it('holds when a mark comes late and moves what a cursor counts', async () => {
    const some = fc.array(arrival, { minLength: 1, maxLength: 6 });
    const fails = fc.array(fc.constant('fails before' as const), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(given, some, some, some, fails, async (one, first, second, third, failing) => {
        await expectKept({
          platform: { ...one.platform, cursors: 'offset' },
          trouble: {
            ...one.trouble,
            arrivals: [],
            faults: [],
            pageFaults: [],
            durations: [10],
            markFaults: ['fails and happens later', ...failing],
          },
          first,
          pauses: [
            { soon: [], gap: settle, late: second },
            { soon: third, gap: settle, late: [] },
          ],
          atOnce: 1,
        });
      }),
      { numRuns },
    );
  });
});
