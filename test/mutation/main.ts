/** `npm run mutate`: the mutation score of the pure core, by StrykerJS. Exit code 1 where an area has less than the target. */
import { rmSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { Option, program } from 'commander';
import * as z from 'zod';
import { count, requireNode24 } from '#sandbox/terminal/command-line.ts';
import { formatTable } from '#sandbox/terminal/table.ts';
import { areas } from './areas.ts';
import { formatSurvivor, type Score, scoreOf } from './score.ts';

/** In percent, for each area. */
const target = 90;

const options = z.object({ workers: z.number(), area: z.array(z.string()) });

program
  .name('npm run mutate --')
  .description('Mutates the pure core line by line and shows which mutants its tests do not notice.')
  .option('--workers <number>', 'test runners at the same time', count, 2)
  .addOption(
    new Option('--area <name...>', 'only these areas').choices(areas.map(({ name }) => name)).default(
      areas.map(({ name }) => name),
      'all',
    ),
  )
  .parse();

requireNode24();
const { workers, area } = options.parse(program.opts());

const scores: (Score & { readonly name: string; readonly minutes: number })[] = [];
for (const { name, files } of areas.filter((one) => area.includes(one.name))) {
  process.stderr.write(`${name}\n`);
  const start = performance.now();
  // For the test runners, which read vitest.config.ts in processes of their own.
  process.env.MUTATED_AREA = name;
  const mutants = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: true },
    // The preprocessor of tsconfig files needs the API that TypeScript 7 no longer has; no file of this name exists.
    tsconfigFile: 'test/mutation/no-tsconfig.json',
    mutate: [...files],
    coverageAnalysis: 'perTest',
    concurrency: workers,
    // A busy machine must not count as a caught mutant: only an endless loop takes this long, in milliseconds.
    timeoutMS: 120_000,
    reporters: ['progress-append-only'],
    warnings: false,
    tempDirName: '.stryker-tmp',
  }).runMutationTest();
  const score = scoreOf(mutants);
  for (const survivor of score.survivors) process.stdout.write(`${formatSurvivor(survivor)}\n`);
  scores.push({ name, ...score, minutes: Math.round((performance.now() - start) / 60_000) });
}
rmSync('.stryker-tmp', { recursive: true, force: true });

const rows = scores.map(({ name, mutants, caught, timeouts, survivors, percent, minutes }) => [
  name,
  mutants,
  caught,
  timeouts,
  survivors.length,
  percent.toFixed(1),
  minutes,
]);
process.stdout.write(
  `\n${formatTable(['area', 'mutants', 'caught', 'by time-out', 'survived', 'score in %', 'minutes'], rows)}\n`,
);
process.exitCode = scores.every(({ percent }) => percent >= target) ? 0 : 1;
