import { Argument, type Command } from 'commander';
import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { shells, writeCompletion } from './write-completion.ts';

/** Adds `completion`: a script for the shell of the user. */
export function addCompletionCommand(program: Command, { stdout }: CommandDeps): void {
  const command = program
    .command('completion')
    .description('Prints a script that completes the commands and options in your shell.')
    .addArgument(new Argument('<shell>', 'your shell').choices([...shells]))
    .action((shell: unknown) => stdout(writeCompletion(program, z.enum(shells).parse(shell))));
  documentCommand(command, {
    examples: ['source <(npx --no -- drawbridge completion bash)', 'npx --no -- drawbridge completion fish | source'],
    json: 'nothing: the command prints a script',
  });
}
