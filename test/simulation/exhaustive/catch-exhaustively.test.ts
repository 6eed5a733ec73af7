import { beforeAll, describe, expect, it } from 'vitest';
import { plantedBugs } from '#test/simulation/bugs/planted-bugs.ts';
import { catchExhaustively, type ExhaustivelyCaught } from './catch-exhaustively.ts';

/** In what stores, acknowledges and publishes: each takes one fault at the right I/O, or none. */
const names = [
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
];

const bugs = plantedBugs.filter(({ name }) => names.includes(name));

let results: readonly ExhaustivelyCaught[];
beforeAll(async () => {
  results = await catchExhaustively(bugs, { seed: 1, events: 4, workers: 2 });
}, 900_000);

describe('design: the simulation bites: one fault in a small history is enough for', () => {
  it.each(names)('%s', (name) => {
    const caught = results.find(({ bug }) => bug.name === name);
    expect(caught?.bug.breaks).toContain(caught?.failure?.broken?.promise);
  });
});
