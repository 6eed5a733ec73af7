import type { Command } from 'commander';
import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { createControl } from './control-client.ts';

/** Whether the endpoint of Drawbridge on this machine answers. */
export const reachable = z.object({ isReachable: z.boolean() });

/** Adds `outage start` and `stop`: the endpoint of Drawbridge on this machine. */
export function addOutageCommand(program: Command, deps: CommandDeps): void {
  const group = program
    .command('outage')
    .description('Takes the endpoint of Drawbridge on this machine down: webhooks fail, and so do queries.');
  const add = (name: string, description: string, method: 'PUT' | 'DELETE') => {
    const command = group
      .command(name)
      .description(description)
      .action(async () => {
        const { output, control } = createControl(command, deps);
        const answer = await control.send({ method, path: '/outage' }, reachable);
        output.answer(answer, () => `The endpoint is ${answer.isReachable ? 'up' : 'down: each connection breaks'}.`);
      });
    documentCommand(command, {
      examples: [`drawbridge outage ${name}`],
      json: '`isReachable`',
      writes: 'the laptop, without a question',
    });
  };
  add('start', 'Takes the endpoint down.', 'PUT');
  add('stop', 'Takes the endpoint up again.', 'DELETE');
}
