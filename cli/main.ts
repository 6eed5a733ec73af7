/** The `drawbridge` command: the same commands for the stacks on this machine and for a deployment. */
import { dirname, join } from 'node:path';
import { program } from 'commander';
import { NodeVersionError } from '#sandbox/terminal/command-line.ts';
import { addCopyRowsCommand } from './copy-rows/command.ts';
import { CopyRowsError } from './copy-rows/copy-missing-rows.ts';
import { addPlatformCommand } from './platform/command.ts';
import { addReconcileCommand } from './reconcile/command.ts';
import { InvokeError } from './reconcile/invoke.ts';
import { addStartCommand } from './start/command.ts';

const root = dirname(import.meta.dirname);

/** The command failed, so its question has no answer. Exit code 1 is the answer "yes, something has drifted". */
const failureCode = 2;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function printError(text: string): void {
  process.stderr.write(`\n${text}\n`);
}

program.name('drawbridge').description('Operates Drawbridge on this machine or on AWS.');

const exit = (code: number): void => {
  process.exitCode = code;
};

addStartCommand(program, { environment: process.env, printError, exit });
addPlatformCommand(program, { printError, exit });
addReconcileCommand(program, { defaultDirectory: join(root, '.sandbox'), print, exit });

addCopyRowsCommand(program, { print });

program.parseAsync().then(
  () => process.exit(),
  (error: unknown) => {
    const shown =
      error instanceof Error &&
      !(error instanceof InvokeError || error instanceof CopyRowsError || error instanceof NodeVersionError)
        ? error.stack
        : error;
    process.stderr.write(`${shown instanceof Error ? shown.message : String(shown)}\n`);
    process.exit(failureCode);
  },
);
