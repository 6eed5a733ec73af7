import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { moment } from '#cli/command/list-options.ts';
import { replayBus } from './replay-bus.ts';
import { listSubscriberRules, listTargets } from './subscriber-rules.ts';

const replayOptions = z.object({ to: z.array(z.string()), from: z.string(), until: z.string().optional() });

/** Adds `bus ls` and `replay`: who gets the bus events, and past events for them once more. */
export function addBusCommand(program: Command, deps: CommandDeps): Command {
  const group = program.command('bus').description('The rules that subscribe to the bus.');
  const ls = group
    .command('ls')
    .description('Lists the rules of subscribers, and their targets. Rules of Drawbridge itself are left out.')
    .action(async () => {
      const { output, connect } = createContext(ls, deps);
      const deployment = await connect();
      const bus = (await deployment.resources()).idOf('bus', 'Bus');
      const rules = await listSubscriberRules(deployment, bus);
      const rows = await Promise.all(
        rules.map(async (rule) => ({
          rule: rule.Name,
          enabled: rule.State !== 'DISABLED',
          targets: (await listTargets(deployment, bus, rule)).map(({ Arn }) => Arn),
        })),
      );
      output.list(rows, {
        head: ['rule', 'enabled', 'targets'],
        row: ({ rule, enabled, targets }) => [rule, enabled ? 'yes' : 'no', targets.join(', ')],
        none: 'No rule subscribes to the bus.',
      });
    });
  documentCommand(ls, {
    examples: ['drawbridge bus ls --env production'],
    json: '`rule`, `enabled` and `targets` (ARNs) of each rule, one a line',
  });
  const replay = group
    .command('replay')
    .description(
      'Publishes past events of the bus once more, for the rules that you name. The archive gets an event some minutes after the bus.',
    )
    .requiredOption('--to <rules...>', 'the rules that get the events: bus ls lists them')
    .requiredOption('--from <time>', 'events of this time or later, such as 2026-01-31T08:00:00Z or 1h', moment)
    .option('--until <time>', 'events of this time or earlier (default: now)', moment)
    .action(async (given: unknown) => {
      const context = createContext(replay, deps);
      const { state } = await replayBus(replayOptions.parse(given), context, deps);
      if (state !== 'COMPLETED') deps.exit(exitCodes.found);
    });
  documentCommand(replay, {
    examples: ['drawbridge bus replay --to my-orders-rule --from 1h --env production'],
    json: '`replay` (its name), `rules`, `from`, `until` and `state` of EventBridge at the end',
    found: 'EventBridge ended the replay before it was complete',
    writes: 'publishes events again: the consumers must drop what they have handled',
  });
  return group;
}
