import { join } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { type GapReport, hasDrifted } from '#shared/bus/gap-report.ts';
import { formatReport } from './format-report.ts';
import { invokeOnAws, invokeOnLaptop } from './invoke.ts';
import { reconcileWhole } from './reconcile-whole.ts';

export type ReconcileCommandDeps = {
  /** Where `npm start` writes `endpoints.json`, unless the user names another directory. */
  readonly defaultDirectory: string;
  readonly print: (text: string) => void;
  /** Sets the exit code of the process. */
  readonly exit: (code: number) => void;
};

/** Exit codes. The last means that reconcile could not find out. */
const exitCodes = { asOnPlatform: 0, drifted: 1, unknown: 2 };

const reconcileOptions = z.object({
  report: z.boolean(),
  function: z.string().min(1).optional(),
  directory: z.string(),
});

/** Adds `reconcile`: compares the entities with the platform now, on this machine or where Drawbridge is deployed. */
export function addReconcileCommand(program: Command, { defaultDirectory, print, exit }: ReconcileCommandDeps): void {
  program
    .command('reconcile')
    .description(
      'Compares every entity with the platform and repairs what differs. Exit code 1: something had drifted. Exit code 2: reconcile could not find out.',
    )
    .option('--report', 'compare only: write and repair nothing', false)
    .option('--function <name>', 'the deployed function to invoke with the AWS CLI: see the output ReconcileFunction')
    .option('--directory <path>', 'the directory in which npm start wrote endpoints.json', defaultDirectory)
    .action(async (given: unknown) => {
      const { function: functionName, directory, report: isReport } = reconcileOptions.parse(given);
      const invoke =
        functionName === undefined ? invokeOnLaptop(join(directory, 'endpoints.json')) : invokeOnAws(functionName);
      const report = await reconcileWhole(invoke, isReport ? 'report' : 'repair', (soFar) => print(progressOf(soFar)));
      print(formatReport(report));
      exit(exitCodeOf(report));
    });
}

function progressOf({ counts }: GapReport): string {
  const ofEach = Object.values(counts);
  const sum = (column: 'checked' | 'drifted') => ofEach.reduce((total, ofKind) => total + ofKind[column], 0);
  return `  ${sum('checked')} entities checked, ${sum('drifted')} drifted so far …`;
}

function exitCodeOf(report: GapReport): number {
  if (report.outcome !== 'complete') return exitCodes.unknown;
  return hasDrifted(report) ? exitCodes.drifted : exitCodes.asOnPlatform;
}
