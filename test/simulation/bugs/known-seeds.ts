import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { CaughtBug } from './catch-bugs.ts';
import { plantedBugs } from './planted-bugs.ts';

const file = join(import.meta.dirname, 'known-seeds.json');

/** By the name of a planted bug, the first seed that caught it when `npm run simulate -- --bugs --save` ran last. */
export function readKnownSeeds(): Readonly<Record<string, number>> {
  return z.record(z.string(), z.int()).parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** Keeps the seeds of the bugs that were caught, and those of the bugs that did not run. Removed bugs lose theirs. */
export function writeKnownSeeds(results: readonly CaughtBug[]): void {
  const caught = results.flatMap(({ bug, failure, isCaught }) =>
    isCaught && failure !== undefined ? [[bug.name, failure.options.seed] as const] : [],
  );
  const all = { ...readKnownSeeds(), ...Object.fromEntries(caught) };
  const seeds = Object.fromEntries(plantedBugs.map(({ name }) => [name, all[name]]));
  writeFileSync(file, `${JSON.stringify(seeds, undefined, 2)}\n`);
}
