import { CommanderError } from 'commander';
import { NodeVersionError } from '#sandbox/terminal/command-line.ts';
import type { CommandDeps } from './command/command-deps.ts';
import { CommandError } from './command/command-error.ts';
import { exitCodes } from './command/exit-codes.ts';
import { CopyRowsError } from './copy-rows/copy-missing-rows.ts';
import { createProgram } from './program.ts';

/** Runs one command line. An error ends with exit code 2; that of a command says what to try next. */
export async function runProgram(commandLine: readonly string[], deps: CommandDeps): Promise<void> {
  try {
    await createProgram(deps).parseAsync([...commandLine], { from: 'user' });
  } catch (error) {
    // Commander has printed the help or the mistake.
    if (error instanceof CommanderError) return deps.exit(error.exitCode === 0 ? exitCodes.good : exitCodes.failed);
    deps.stderr(`${describe(error)}\n`);
    deps.exit(exitCodes.failed);
  }
}

/** An error of a command is for its user. Any other is a defect, whose stack helps. */
function describe(error: unknown): string {
  const expected = [CommandError, CopyRowsError, NodeVersionError];
  if (error instanceof Error && expected.some((kind) => error instanceof kind)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
