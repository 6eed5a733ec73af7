import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { moment, resolveMoments } from '#cli/command/list-options.ts';
import { describeBusReplay, planBusReplay, runBusReplay } from './replay-bus.ts';
import { readSubscriptions } from './subscriber-rules.ts';

const replayOptions = z.object({ to: z.array(z.string()), from: z.string(), until: z.string().optional() });

/** Adds `bus ls` and `replay`: who gets the bus events, and past events for them once more. */
export function addBusCommand(program: Command, deps: CommandDeps): Command {
  const group = program.command('bus').description('The rules that subscribe to the bus.');
  const ls = group
    .command('ls')
    .description('Lists the rules of subscribers, and their targets. Rules of Drawbridge itself are left out.')
    .action(async () => {
      const { output, connect } = createContext(ls, deps);
      output.list(await readSubscriptions(await connect()), {
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
      const { output, connect, confirm } = createContext(replay, deps);
      const deployment = await connect();
      const { to, ...times } = replayOptions.parse(given);
      const plan = await planBusReplay(deployment, { to, ...(await resolveMoments(times, deployment, deps)) }, deps);
      const { from, until, rules, incompleteFrom } = plan;
      await confirm(describeBusReplay(plan, `of ${from} to ${until}`));
      const ended = await runBusReplay(deployment, plan, deps, (name) =>
        output.note(`The replay ${name} runs. It continues when you end this command.`),
      );
      if (incompleteFrom !== undefined)
        output.note(
          `Events of the last minutes can be missing: repeat the command later with --from ${incompleteFrom}.`,
        );
      output.answer(
        { replay: ended.replay, rules: rules.map(({ name }) => name), from, until, state: ended.state },
        () => ended.message,
      );
      if (!ended.isComplete) deps.exit(exitCodes.found);
    });
  documentCommand(replay, {
    examples: ['drawbridge bus replay --to my-orders-rule --from 1h --env production'],
    json: '`replay` (its name), `rules`, `from`, `until` and `state` of EventBridge at the end',
    found: 'EventBridge ended the replay before it was complete',
    writes: 'publishes events again: the consumers must drop what they have handled',
  });
  return group;
}
