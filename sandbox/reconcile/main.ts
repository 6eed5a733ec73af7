/** `npm run reconcile`: has the entities held against the platform now, on this machine or where they are deployed. */
import { dirname, join } from 'node:path';
import { program } from 'commander';
import * as z from 'zod';
import { requireNode24 } from '#sandbox/command-line.ts';
import { type GapReport, hasDrifted } from '#shared/gap-report.ts';
import { formatReport } from './format-report.ts';
import { InvokeError, invokeOnAws, invokeOnLaptop } from './invoke.ts';
import { reconcileWhole } from './reconcile-whole.ts';

const root = dirname(dirname(import.meta.dirname));

/** What is neither yes nor no: it could not be found out. */
const unknownCode = 2;

program
  .name('npm run reconcile --')
  .description(
    'Holds the entities against the platform, and has repaired what differs. Exit code 1 if something had drifted, 2 if that could not be found out.',
  )
  .option('--report', 'only look, and write nothing', false)
  .option('--function <name>', 'of a deployment: the output ReconcileFunction; invoked by the AWS CLI')
  .option('--directory <path>', 'where npm start has written where its stacks are', join(root, '.sandbox'))
  .parse();

const options = z
  .object({ report: z.boolean(), function: z.string().min(1).optional(), directory: z.string() })
  .parse(program.opts());

function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

function printProgress({ counts }: GapReport): void {
  const ofEach = Object.values(counts);
  const sum = (column: 'lookedAt' | 'drifted') => ofEach.reduce((total, ofKind) => total + ofKind[column], 0);
  print(`  ${sum('lookedAt')} looked at, ${sum('drifted')} have drifted so far …`);
}

async function main(): Promise<number> {
  requireNode24();
  const { function: functionName, directory, report: looksOnly } = options;
  const invoke =
    functionName === undefined ? invokeOnLaptop(join(directory, 'endpoints.json')) : invokeOnAws(functionName);
  const report = await reconcileWhole(invoke, looksOnly ? 'report' : 'repair', printProgress);
  print(formatReport(report));
  if (report.outcome !== 'complete') return unknownCode;
  return hasDrifted(report) ? 1 : 0;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const shown = error instanceof Error && !(error instanceof InvokeError) ? error.stack : error;
    process.stderr.write(`${shown instanceof Error ? shown.message : String(shown)}\n`);
    process.exit(unknownCode);
  },
);
