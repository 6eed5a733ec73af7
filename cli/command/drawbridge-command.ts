import { Command, type ErrorOptions } from 'commander';

/** A command whose mistakes end with the command to try next, as all errors of the command line do. */
export class DrawbridgeCommand extends Command {
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
