import { beforeAll, describe, expect, it } from 'vitest';
import { everyNth } from '#test/full-size.ts';
import { plantedBugs } from '#test/simulation/bugs/planted-bugs.ts';
import { situationBugs } from '#test/simulation/bugs/situation-bugs.ts';
import { catchExhaustively, type ExhaustivelyCaught } from './catch-exhaustively.ts';

/** In what stores, acknowledges and publishes: each takes one fault at the right I/O, or none. */
const names = everyNth(6, [
  'receive answers before SQS has the webhook',
  'a webhook that SQS refused is acknowledged',
  'a webhook that failed is acknowledged',
  'a message that failed is deleted',
  'the answer to a batch names no failures',
  'store does not wait for the commit',
  'store does not wait for the effect',
  'the put of an event has no condition',
  'a delivery that comes again is counted again',
  'a change is not published again after a crash',
  'a change counts as published whatever becomes of it',
  'what the bus refused counts as published',
]);

/** A mark is sent by the second walk: something must fail in both. */
const namesOfPairs = everyNth(3, [
  'records are marked before they are committed',
  'a commit that failed is passed over',
  'what was not handed over is marked',
]);

const sampledSituationBugs = everyNth(3, situationBugs);

const options = { seed: 1, names: [4 as const], workers: 2 };
/** Any of these does, and no bug takes another one; the I/Os come in the order of the history. */
const kinds = [
  'lost request',
  'lost acknowledgement, sent again',
  'crash before an I/O',
  'event refused by the bus',
] as const;

/** The bugs are in what the drain does about a batch: faults of others can do no more. */
const pairs = { maxFaults: 2, kinds: ['lost request'], callers: ['drain'] } as const;

const bugsOf = (some: readonly string[]) => plantedBugs.filter(({ name }) => some.includes(name));

async function catchInSituations(): Promise<readonly ExhaustivelyCaught[]> {
  const results: ExhaustivelyCaught[] = [];
  for (const bug of sampledSituationBugs) {
    const { history, faults } = bug;
    const found = { ...options, names: [history], maxFaults: faults.length, kinds: faults };
    results.push(...(await catchExhaustively([bug], found)));
  }
  return results;
}

let results: readonly ExhaustivelyCaught[];
beforeAll(async () => {
  results = [
    ...(await catchExhaustively(bugsOf(names), { ...options, maxFaults: 1, kinds })),
    ...(await catchExhaustively(bugsOf(namesOfPairs), { ...options, ...pairs })),
    ...(await catchInSituations()),
  ];
}, 900_000);

describe.each([
  ['one fault in a small history', names],
  ['a pair of lost requests', namesOfPairs],
  ['the history and the faults that are named', sampledSituationBugs.map(({ name }) => name)],
])('design: the simulation bites: enough is %s for', (_, some) => {
  it.each(some)('%s', (name) => {
    const caught = results.find(({ bug }) => bug.name === name);
    expect(caught?.bug.breaks).toContain(caught?.failure?.broken?.promise);
  });
});
