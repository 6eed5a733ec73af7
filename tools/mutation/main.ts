/** `node tools/mutation/main.ts`: the mutation score of the pure core, by StrykerJS. Exit code 1 where an area has less than the target. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { Option, program } from 'commander';
import * as z from 'zod';
import { count, requireNode24 } from '#sandbox/terminal/command-line.ts';
import { formatTable } from '#sandbox/terminal/table.ts';
import { areas } from './areas.ts';
import { replaceRow } from './report.ts';
import { formatSurvivor, type Score, scoreOf } from './score.ts';

/** In percent, for each area. */
const target = 90;

/** One for each run, so that two runs do not delete each other's copies. */
const tempDirName = `.stryker-tmp/${process.pid}`;

const readme = join(import.meta.dirname, 'README.md');

const options = z.object({
  workers: z.number(),
  area: z.array(z.string()),
  write: z.boolean().default(false),
});

program
  .name('node tools/mutation/main.ts')
  .description('Mutates the pure core line by line and shows which mutants its tests do not notice.')
  .option('--workers <number>', 'test runners at the same time', count, 2)
  .addOption(
    new Option('--area <name...>', 'only these areas').choices(areas.map(({ name }) => name)).default(
      areas.map(({ name }) => name),
      'all',
    ),
  )
  .option('--write', 'also writes the scores into tools/mutation/README.md')
  .parse();

requireNode24();
const { workers, area, write } = options.parse(program.opts());
process.exitCode = (await mutateAll()) ? 0 : 1;

/** Whether each area has the target. */
async function mutateAll(): Promise<boolean> {
  const scores: (Score & { readonly name: string; readonly minutes: number })[] = [];
  for (const { name, files } of areas.filter((one) => area.includes(one.name))) {
    process.stderr.write(`${name}\n`);
    const start = performance.now();
    // For the test runners, which read vitest.config.ts in processes of their own.
    process.env.MUTATED_AREA = name;
    const mutants = await new Stryker({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      vitest: { configFile: 'tools/mutation/vitest.config.ts', related: true },
      // The preprocessor of tsconfig files needs the API that TypeScript 7 no longer has; no file of this name exists.
      tsconfigFile: 'tools/mutation/no-tsconfig.json',
      mutate: [...files],
      coverageAnalysis: 'perTest',
      concurrency: workers,
      // A busy machine must not count as a caught mutant: only an endless loop takes this long, in milliseconds.
      timeoutMS: 120_000,
      reporters: ['progress-append-only'],
      warnings: false,
      tempDirName,
      ignorePatterns: ['/.stryker-tmp'],
    }).runMutationTest();
    const score = scoreOf(mutants);
    for (const survivor of score.survivors) process.stdout.write(`${formatSurvivor(survivor)}\n`);
    scores.push({ name, ...score, minutes: Math.round((performance.now() - start) / 60_000) });
    if (write) writeFileSync(readme, replaceRow(readFileSync(readme, 'utf8'), name, score, new Date()));
  }
  rmSync(tempDirName, { recursive: true, force: true });

  const rows = scores.map(({ name, mutants, killed, timedOut, survivors, uncovered, percent, minutes }) => [
    name,
    mutants,
    killed,
    timedOut,
    survivors.length - uncovered,
    uncovered,
    percent.toFixed(1),
    minutes,
  ]);
  const head = ['area', 'mutants', 'killed', 'timed out', 'survived', 'no coverage', 'score in %', 'minutes'];
  process.stdout.write(`\n${formatTable(head, rows)}\n`);
  return scores.every(({ percent }) => percent >= target);
}
