/** `npm run simulate` runs histories with faults and checks the promises. The exit code is 1 when a promise is broken. */
import { writeFileSync } from 'node:fs';
import { program } from 'commander';
import * as z from 'zod';
import { count, fileToWrite, requireNode24 } from '#sandbox/terminal/command-line.ts';
import { formatTable } from '#sandbox/terminal/table.ts';
import { type CaughtBug, catchBugs } from './bugs/catch-bugs.ts';
import { writeKnownSeeds } from './bugs/known-seeds.ts';
import { plantedBugs } from './bugs/planted-bugs.ts';
import { enumerateFaults } from './exhaustive/enumerate-faults.ts';
import { situations } from './exhaustive/situations.ts';
import { eventCounts, longerHistories } from './exhaustive/small-history.ts';
import { formatPromises, neverChecked } from './format-promises.ts';
import { runHistory } from './history.ts';
import { minimise } from './minimise.ts';
import { createProgress, formatProgress } from './progress.ts';
import { chooseHistory, type SimulationRun, writeSimulationReport } from './report/write-report.ts';
import { type RunResult, runSeeds } from './run-seeds.ts';
import { createPlatformAppForAll } from './system/platform-app.ts';
import { traceHistory } from './trace.ts';
import type { Failure } from './worker.ts';

/** With at least this many histories, a kind of fault that never happened is a failure, and so is a promise that was never checked. */
const manyHistories = 2_000;

/** Small histories with a name instead of a number of events. */
const namedHistories = [...longerHistories, ...situations] as const;

const options = z.object({
  seeds: z.number(),
  seed: z.number(),
  workers: z.number(),
  bugs: z.boolean().default(false),
  bug: z.string().optional(),
  save: z.boolean().default(false),
  trace: z.boolean().default(false),
  traces: z.int().nonnegative(),
  report: z.string().optional(),
  exhaustive: z.boolean().default(false),
  events: z.literal(eventCounts, `--events takes one of ${eventCounts.join(', ')}.`).optional(),
  history: z.literal(namedHistories, `--history takes one of ${namedHistories.join(', ')}.`).optional(),
  faults: z.string().optional(),
});

type Options = z.infer<typeof options>;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function note(text: string): void {
  process.stderr.write(text);
}

const showProgress = createProgress({
  isTTY: process.stderr.isTTY === true,
  write: note,
  now: () => performance.now(),
});

program
  .name('npm run simulate --')
  .description('Runs histories with faults, and checks the promises in each.')
  .option('--seeds <number>', 'number of histories', count, 2_000)
  .option('--seed <number>', 'seed of the first history', count, 1)
  .option('--workers <number>', 'number of threads', count, 2)
  .option('--bugs', 'plants each bug, and runs up to --seeds histories until a promise is broken')
  .option('--bug <text>', 'as --bugs, but only bugs with this text in their name or file')
  .option('--save', 'with --bugs: keeps the seed that caught each bug, which npm run verify tries first')
  .option('--trace', 'prints the trace of the first history, and runs no other')
  .option('--traces <number>', 'number of failing histories that are minimised and traced', Number, 3)
  .option('--report <file>', 'writes an HTML page with promises, faults, and one history as a swim lane', fileToWrite)
  .option('--exhaustive', 'runs small histories with every possible fault')
  .option(
    '--events <number>',
    'with --exhaustive: only the history with this many events, 1 to 4, and with every pair of faults',
    count,
  )
  .option('--history <name>', 'with --exhaustive: only the history with this name, with single faults')
  .option(
    '--faults <list>',
    'with --exhaustive: prints the trace of one history with these faults, such as 17:throttling',
  )
  .action(async (given: unknown) => {
    requireNode24();
    process.exitCode = await perform(options.parse(given));
  });

/** Returns the exit code. */
async function perform(chosen: Options): Promise<number> {
  if (chosen.exhaustive)
    return enumerateFaults({ ...chosen, name: chosen.history ?? chosen.events }, { print, showProgress });
  if (chosen.trace) {
    print(await traceHistory({ seed: chosen.seed }, { app: createPlatformAppForAll() }));
    return 0;
  }
  return chosen.bugs || chosen.bug !== undefined ? catchAll(chosen) : simulate(chosen);
}

async function simulate({ seeds, seed, workers, traces, report }: Options): Promise<number> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const onProgress = (done: number) => showProgress(formatProgress(done, seeds, seconds()));
  const result = await runSeeds({ seed, seeds, workers, onProgress });
  print(`\n${formatTable(['fault', 'times'], [...result.counts])}\n`);
  print(`${formatPromises(result)}\n`);
  // Before the traces: to minimise a history takes minutes, and there can be more failures than traces.
  for (const failure of result.failures) print(summarize(failure));
  for (const failure of result.failures.slice(0, traces)) print(`${await describeFailure(failure)}\n`);
  const missing = result.done < manyHistories ? [] : [...missingFaults(result), ...neverChecked(result)];
  if (missing.length > 0) print(`Never happened: ${missing.join(', ')}.`);
  if (report !== undefined) await writeReport(report, { result, seed, seconds: seconds() });
  print(`${result.done} histories in ${Math.round(seconds())} s, ${Math.round(result.done / seconds())} per second.`);
  print(result.failures.length === 0 ? 'No promise was broken.' : `FAILED: ${result.failures.length} histories.`);
  return result.failures.length > 0 || missing.length > 0 ? 1 : 0;
}

function missingFaults({ counts }: RunResult): readonly string[] {
  return [...counts].filter(([, times]) => times === 0).map(([kind]) => kind);
}

function summarize({ options: { seed }, broken, error }: Failure): string {
  return broken === undefined ? `Seed ${seed}: ${error}` : `Seed ${seed}: promise ${broken.promise}: ${broken.what}`;
}

/** With the minimised history of the first failure; without failures, with a history that is worth reading. */
async function writeReport(file: string, run: Omit<SimulationRun, 'shown'>): Promise<void> {
  const deps = { app: createPlatformAppForAll() };
  const failing = run.result.failures.find(({ broken }) => broken !== undefined);
  const shown =
    failing === undefined
      ? await chooseHistory(run.seed, deps)
      : await minimise(await runHistory(failing.options, deps), deps);
  writeFileSync(file, await writeSimulationReport({ ...run, shown }, deps));
  print(`Report: ${file}`);
}

/** The trace of the minimised history. */
async function describeFailure({ options: failing, broken, error }: Failure): Promise<string> {
  if (broken === undefined) return `History ${JSON.stringify(failing)} failed: ${error}`;
  const app = createPlatformAppForAll();
  const least = await minimise(await runHistory(failing, { app }), { app });
  return traceHistory(least, { app });
}

async function catchAll({ seeds, seed, workers, save, bug = '' }: Options): Promise<number> {
  const onCaught = ({ bug, isCaught }: CaughtBug) => note(`${isCaught ? 'caught' : 'SURVIVED'}: ${bug.name}\n`);
  const bugs = plantedBugs.filter(({ name, file }) => name.includes(bug) || file.includes(bug));
  if (bugs.length === 0) {
    print(`No planted bug has "${bug}" in its name or file.`);
    return 1;
  }
  const results = await catchBugs(bugs, { seed, seeds, workers, onCaught });
  const rows = results.map(({ bug, failure, seeds: taken, isCaught }) => [
    bug.name,
    failure?.broken?.promise ?? 'none',
    isCaught ? taken : 'SURVIVED',
  ]);
  print(`\n${formatTable(['planted bug', 'promise', 'seeds'], rows)}\n`);
  if (save) writeKnownSeeds(results);
  const survivors = results.filter(({ isCaught }) => !isCaught).length;
  print(survivors === 0 ? `All ${results.length} bugs were caught.` : `FAILED: ${survivors} bugs survived.`);
  return survivors === 0 ? 0 : 1;
}

await program.parseAsync();
