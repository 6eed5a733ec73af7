import { beforeAll, describe, expect, it } from 'vitest';
import { isFullSize, size } from '#test/full-size.ts';
import { sampledBugs } from './bug-sample.ts';
import { type CaughtBug, catchBugs } from './catch-bugs.ts';
import { plantedBugs } from './planted-bugs.ts';

/** `npm test` plants a sample, to prove that the simulation bites; `npm run verify` plants them all. */
const bugs = isFullSize ? plantedBugs : plantedBugs.filter(({ name }) => sampledBugs.includes(name));

/** For each bug, at most. */
const seeds = size(20, 2_000);

/** How many seeds it took: what takes many today is missed tomorrow. */
function print({ bug, seeds: taken }: CaughtBug): void {
  process.stdout.write(`${String(taken).padStart(5)} seeds: ${bug.name}\n`);
}

let results: readonly CaughtBug[];
beforeAll(async () => {
  results = await catchBugs(bugs, { seed: 1, seeds, workers: 2, onCaught: print });
}, 1_800_000);

describe('design: the simulation bites: each planted bug breaks a promise', () => {
  it.each(bugs)('$name', ({ name, breaks }) => {
    const caught = results.find(({ bug }) => bug.name === name);
    expect(breaks).toContain(caught?.failure?.broken?.promise);
  });
});
