import { beforeAll, describe, expect, it } from 'vitest';
import { type CaughtBug, catchBugs } from './catch-bugs.ts';
import { readKnownSeeds } from './known-seeds.ts';
import { plantedBugs } from './planted-bugs.ts';

/** The maximum number of histories per bug. Most bugs need one: that of their known seed. */
const seeds = 2_000;

/** A bug that is no longer caught by its known seed shows that the histories have changed. Many such bugs: save the seeds again. */
function print({ bug, failure, seeds: taken }: CaughtBug): void {
  process.stdout.write(`seed ${failure?.options.seed ?? 'none'}, ${taken} histories: ${bug.name}\n`);
}

let results: readonly CaughtBug[];
beforeAll(async () => {
  results = await catchBugs(plantedBugs, { seed: 1, seeds, workers: 2, knownSeeds: readKnownSeeds(), onCaught: print });
});

describe('the simulation', () => {
  it.each(plantedBugs)('catches the planted bug: $name', ({ name, breaks }) => {
    const caught = results.find(({ bug }) => bug.name === name);
    expect(breaks).toContain(caught?.failure?.broken?.promise);
  });
});
