import { Command } from 'commander';
import { addGlobalOptions } from './command/command-context.ts';
import type { CommandDeps } from './command/command-deps.ts';
import { addCopyRowsCommand } from './copy-rows/command.ts';
import { addDoctorCommand } from './doctor/command.ts';
import { addPlatformCommand } from './platform/command.ts';
import { addReconcileCommand } from './reconcile/command.ts';
import { addStartCommand } from './start/command.ts';
import { addStatusCommand } from './status/command.ts';

/** The `drawbridge` command: the same commands for the stacks on this machine and for a deployment. */
export function createProgram(deps: CommandDeps): Command {
  const program = new Command('drawbridge')
    .description('Operates Drawbridge on this machine or on AWS.')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: deps.stdout, writeErr: deps.stderr })
    .exitOverride();
  addGlobalOptions(program, deps);
  const printError = (text: string) => deps.stderr(`\n${text}\n`);
  addStartCommand(program, { ...deps, printError });
  addPlatformCommand(program, { ...deps, printError });
  addStatusCommand(program, deps);
  addDoctorCommand(program, deps);
  addReconcileCommand(program, deps);
  addCopyRowsCommand(program, deps);
  return program;
}
