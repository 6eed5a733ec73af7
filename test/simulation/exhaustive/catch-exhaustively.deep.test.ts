import { beforeAll, describe, expect, it } from 'vitest';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import type { PlantedBug } from '#test/simulation/bugs/planted-bug.ts';
import { plantedBug } from '#test/simulation/bugs/planted-bugs.ts';
import { situationBugs } from '#test/simulation/bugs/situation-bugs.ts';
import { type ExhaustiveOptions, runExhaustive } from './run-exhaustive.ts';

type Case = Omit<ExhaustiveOptions, 'seed' | 'workers' | 'bug'> & { readonly bug: PlantedBug };

/** Bugs in storing, acknowledging and publishing. Each needs at most one fault, at the right I/O. */
const singles = ['a repeated delivery is counted twice', 'a change that the bus rejected counts as published'].map(
  (name): Case => ({
    bug: plantedBug(name),
    names: [4],
    maxFaults: 1,
    kinds: ['lost request', 'lost acknowledgement, retried', 'crash before an I/O', 'event rejected by the bus'],
  }),
);

/** The second walk sends the mark, and a fault must happen in both walks. The bug is in the batches of the drain. */
const pair: Case = {
  bug: plantedBug('records are marked before they are committed'),
  names: [4],
  maxFaults: 2,
  kinds: ['lost request'],
  callers: ['drain'],
};

const inSituations = situationBugs.map(
  (bug): Case => ({ bug, names: [bug.history], maxFaults: bug.faults.length, kinds: bug.faults }),
);

const cases = [...singles, pair, ...inSituations];

let broken: ReadonlyMap<string, number | undefined>;
beforeAll(async () => {
  broken = new Map(
    await mapConcurrent(cases, 2, async ({ bug, ...options }) => {
      const results = await runExhaustive({ ...options, bug, seed: 1, workers: 1, stopAtFailure: true });
      const failures = results.flatMap((result) => result.failures);
      return [bug.name, failures.find((failure) => failure.broken !== undefined)?.broken?.promise] as const;
    }),
  );
});

describe('the exhaustive simulation', () => {
  it.each(cases)('catches the planted bug with its kinds of faults in a small history: $bug.name', ({ bug }) => {
    expect(bug.breaks).toContain(broken.get(bug.name));
  });
});
