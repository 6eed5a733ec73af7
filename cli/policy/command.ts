import { Argument, type Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { policyOf, readPolicyPlace, roles } from './permissions.ts';

/** Adds `policy`: prints an IAM policy for those who use the commands. */
export function addPolicyCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('policy')
    .description('Prints the IAM policy for a role that uses these commands, with the ARNs of the deployment.')
    .addArgument(new Argument('<role>', 'who uses the commands').choices([...roles]))
    .action(async (role: unknown) => {
      const { output, connect } = createContext(command, deps);
      const policy = policyOf(z.enum(roles).parse(role), await readPolicyPlace(await connect()));
      output.answer(policy, () => JSON.stringify(policy, undefined, 2));
    });
  documentCommand(command, {
    examples: ['drawbridge policy reader --env production', 'drawbridge policy operator --env production'],
    json: 'the policy. The human form is the same',
  });
}
