import type { Command } from 'commander';
import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { perSecond } from '#sandbox/terminal/command-line.ts';
import { addControlOption, type ControlRequest, createControl } from './control-client.ts';

const traffic = z.object({
  perSecond: z.number(),
  onboardings: z.number(),
  orders: z.number(),
  transfers: z.number(),
});

const json = '`perSecond`, `onboardings`, `orders` and `transfers`';

/** Adds `traffic show`, `start` and `stop`: onboardings, orders and transfers in the background. */
export function addTrafficCommand(program: Command, deps: CommandDeps): void {
  const group = program.command('traffic').description('Onboardings, orders and transfers in the background.');

  async function run(command: Command, request: Pick<ControlRequest, 'method' | 'body'>): Promise<void> {
    const { output, control } = createControl(command, deps);
    const answer = await control.send({ path: '/traffic', ...request }, traffic);
    const { onboardings, orders, transfers } = answer;
    output.answer(
      answer,
      () => `${answer.perSecond}/s  ${onboardings} onboardings, ${orders} orders and ${transfers} transfers so far`,
    );
  }

  const show = addControlOption(group.command('show').description('Shows the rate, and how many were started.')).action(
    () => run(show, { method: 'GET' }),
  );
  documentCommand(show, { examples: ['drawbridge traffic show'], json });
  const start = addControlOption(
    group
      .command('start')
      .description('Starts traffic, or changes its rate.')
      .argument('<rate>', 'how many to start per second, such as 5/s', perSecond),
  ).action((rate: unknown) => run(start, { method: 'PUT', body: { perSecond: rate } }));
  const writes = 'the sandbox platform, without a question';
  documentCommand(start, { examples: ['drawbridge traffic start 5/s'], json, writes });
  const stop = addControlOption(group.command('stop').description('Ends the traffic.')).action(() =>
    run(stop, { method: 'PUT', body: { perSecond: 0 } }),
  );
  documentCommand(stop, { examples: ['drawbridge traffic stop'], json, writes });
}
