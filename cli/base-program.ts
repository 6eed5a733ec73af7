import { Command, type ErrorOptions } from 'commander';
import { version } from '#shared/version.ts';
import { addGlobalOptions } from './command/command-context.ts';
import type { CommandDeps } from './command/command-deps.ts';

/** The `drawbridge` command with its global options, and without a command below it. */
export function createBaseProgram(deps: CommandDeps): Command {
  const program = new DrawbridgeCommand('drawbridge')
    .description('Operates Drawbridge on this machine or on AWS.')
    .version(version, '-V, --version', 'print the version of this command line')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: deps.stdout, writeErr: deps.stderr })
    .exitOverride();
  addGlobalOptions(program, deps);
  return program;
}

/** A command whose mistakes end with the command to try next, as all errors of the command line do. */
class DrawbridgeCommand extends Command {
  override createCommand(name?: string): Command {
    return new DrawbridgeCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    return super.error(`${message}\nNext: ${nextAfter(this, message)}`, options);
  }
}

function nextAfter(command: Command, message: string): string {
  const { parent } = command;
  const isId = /missing required argument '(?:.* )?(?:id|queue)'/.test(message);
  if (isId && parent?.commands.some((sibling) => sibling.name() === 'ls'))
    return `${pathOf(parent)} ls, or ${pathOf(command)} --help.`;
  return `${pathOf(command)} --help.`;
}

/** Such as `drawbridge events show`. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
