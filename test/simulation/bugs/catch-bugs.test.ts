import { beforeAll, describe, expect, it } from 'vitest';
import { type CaughtBug, catchBugs } from './catch-bugs.ts';
import { plantedBugs } from './planted-bugs.ts';

/** For each bug, at the most: what the suite runs of the product itself. */
const seeds = 2_000;

/** How many seeds it took: what takes many today is missed tomorrow. */
function print({ bug, seeds: taken }: CaughtBug): void {
  process.stdout.write(`${String(taken).padStart(5)} seeds: ${bug.name}\n`);
}

let results: readonly CaughtBug[];
beforeAll(async () => {
  results = await catchBugs(plantedBugs, { seed: 1, seeds, workers: 2, onCaught: print });
}, 1_800_000);

describe('design: the simulation bites: each planted bug breaks a promise', () => {
  it.each(plantedBugs)('$name', ({ name, breaks }) => {
    const caught = results.find(({ bug }) => bug.name === name);
    expect(breaks).toContain(caught?.failure?.broken?.promise);
  });
});
