import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';

const skipped = z.object({ skipped: z.string() });

/** Adds `drain`: fetches the undelivered webhooks now. */
export function addDrainCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('drain')
    .description('Fetches the webhooks that the platform could not deliver now, in place of the next scheduled run.')
    .action(async () => {
      const { output, connect, confirm } = createContext(command, deps);
      const { invoke } = await connect();
      await confirm('store the undelivered webhooks, and mark them as delivered on the platform');
      const { data } = skipped.safeParse(await invoke('Drain', {}));
      if (data !== undefined) throw new CommandError(data.skipped, 'drawbridge credentials set');
      output.answer(
        { drained: true },
        () => 'The run of Drain is over. What is left on the platform: drawbridge status',
      );
    });
  documentCommand(command, {
    examples: ['drawbridge drain --env production'],
    json: '`drained`: true',
    writes: 'stores undelivered webhooks, and marks them as delivered on the platform',
  });
}
