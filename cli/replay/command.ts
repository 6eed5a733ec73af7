import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { moment, resolveMoments } from '#cli/command/list-options.ts';
import { createIdFinder } from '#cli/ids/find-id.ts';
import { checkReason } from '#cli/quarantine/check-reason.ts';
import { replayEvents } from './replay-events.ts';

const json =
  '`count`, what the count found; `replayed`, how many events were handed to Store again; `quarantined`, how many of them are in quarantine again by reason, or null if more than 1,000 events are replayed, or with `--all`';

const quarantineOptions = z.object({
  reason: z.string().optional(),
  type: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
});

const eventsOptions = z.object({ all: z.boolean() });

/** Adds `events replay`: by id. */
export function addReplayEventsCommand(events: Command, deps: CommandDeps): void {
  const command = events
    .command('replay')
    .description('Lets events have their effect again. Needed once the cause of a quarantine is fixed.')
    .argument('<event ids...>', 'up to 1,000 ids of drawbridge quarantine ls or events ls, short or whole')
    .option('--all', 'also events that are not in quarantine', false)
    .action(async (eventIds: readonly string[], given: unknown) => {
      const { all } = eventsOptions.parse(given);
      const { connect, ...context } = createContext(command, deps);
      const deployment = await connect();
      const finder = createIdFinder({ api: deployment.api, note: context.output.note });
      const request = { eventIds: await finder.findEvents(eventIds, !all), ...(all && { events: 'all' }) };
      await replayEvents(request, { ...context, connect: async () => deployment }, deps);
    });
  documentCommand(command, {
    examples: ['drawbridge events replay 5e1f…0807', 'drawbridge events replay 5e1f…0807 --all --env production'],
    json,
    found: 'some of the events are in quarantine again, unknown or not in quarantine',
    writes: 'hands the events to Store again',
  });
}

/** Adds `quarantine replay`: by filter. */
export function addReplayQuarantineCommand(quarantine: Command, deps: CommandDeps): void {
  const command = quarantine
    .command('replay')
    .description('Counts the events in quarantine that match, and lets them have their effect again.')
    .option('--reason <reason>', 'only events in quarantine for this reason')
    .option('--type <event type>', 'only events of this type')
    .option('--from <time>', 'only those received at this time or later, such as 2026-01-31T08:00:00Z or 2h', moment)
    .option('--to <time>', 'only those received at this time or earlier', moment)
    .action(async (given: unknown) => {
      const { reason, type: eventType, ...times } = quarantineOptions.parse(given);
      checkReason(reason);
      const { connect, ...context } = createContext(command, deps);
      const deployment = await connect();
      const { from: receivedFrom, to: receivedTo } = await resolveMoments(times, deployment, deps);
      const filter = { reason, eventType, receivedFrom, receivedTo };
      await replayEvents(filter, { ...context, connect: async () => deployment }, deps);
    });
  documentCommand(command, {
    examples: [
      'drawbridge quarantine replay --reason UNKNOWN_EVENT_TYPE',
      'drawbridge quarantine replay --from 7d --env production --yes',
    ],
    json,
    found: 'some of the events are in quarantine again',
    writes: 'hands the events to Store again',
  });
}
