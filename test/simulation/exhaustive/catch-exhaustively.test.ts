import { beforeAll, describe, expect, it } from 'vitest';
import { everyNth } from '#test/full-size.ts';
import { plantedBug } from '#test/simulation/bugs/planted-bugs.ts';
import { situationBugs } from '#test/simulation/bugs/situation-bugs.ts';
import { catchExhaustively, type ExhaustivelyCaught } from './catch-exhaustively.ts';

/** Bugs in storing, acknowledging and publishing. Each needs at most one fault, at the right I/O. */
const names = everyNth(3, [
  'receive answers before SQS confirms the webhook',
  'a failed message is deleted',
  'store does not wait for the commit',
  'a repeated delivery is counted twice',
  'a change is not published again after a crash',
  'a change that the bus rejected counts as published',
]);

/** This bug needs two faults: the second walk sends the mark, and a fault must happen in both walks. */
const namesOfPairs = ['records are marked before they are committed'];

const sampledSituationBugs = everyNth(3, situationBugs);

const options = { seed: 1, names: [4 as const], workers: 2 };
/** The kinds of faults that catch these bugs. */
const kinds = [
  'lost request',
  'lost acknowledgement, retried',
  'crash before an I/O',
  'event rejected by the bus',
] as const;

/** This bug is in the batches of the drain, so that only its I/Os need faults. */
const pairs = { maxFaults: 2, kinds: ['lost request'], callers: ['drain'] } as const;

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
    ...(await catchExhaustively(names.map(plantedBug), { ...options, maxFaults: 1, kinds })),
    ...(await catchExhaustively(namesOfPairs.map(plantedBug), { ...options, ...pairs })),
    ...(await catchInSituations()),
  ];
});

describe.each([
  ['with one fault in a small history', names],
  ['with a pair of lost requests', namesOfPairs],
  ['in its situation with its faults', sampledSituationBugs.map(({ name }) => name)],
])('the exhaustive simulation %s', (_, some) => {
  it.each(some)('catches the planted bug: %s', (name) => {
    const caught = results.find(({ bug }) => bug.name === name);
    expect(caught?.bug.breaks).toContain(caught?.failure?.broken?.promise);
  });
});
