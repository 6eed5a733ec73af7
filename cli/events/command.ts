import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { addListOptions, listOptions, resolveMoments } from '#cli/command/list-options.ts';
import { addReplayEventsCommand } from '#cli/replay/command.ts';
import { listEvents } from './list-events.ts';
import { showEvent } from './show-event.ts';

const lsOptions = z.object({ ...listOptions, type: z.string().optional() });
const showOptions = z.object({ reveal: z.boolean() });

/** Adds `events ls`, `show` and `replay`: the stored webhooks. */
export function addEventsCommand(program: Command, deps: CommandDeps): void {
  const group = program.command('events').description('The events that the platform has sent.');
  const ls = addListOptions(group.command('ls').description('Lists events, the latest received first.'), 'received')
    .option('--type <event type>', 'only events of this type')
    .action(async (given: unknown) => {
      const { output, connect } = createContext(ls, deps);
      const deployment = await connect();
      const { api } = deployment;
      const options = await resolveMoments(lsOptions.parse(given), deployment, deps);
      const { type: eventType, from: receivedFrom, to: receivedTo, limit } = options;
      await listEvents({ api, output, filter: { eventType, receivedFrom, receivedTo }, limit });
    });
  documentCommand(ls, {
    examples: [
      'drawbridge events ls --from 2h',
      'drawbridge events ls --type TRADITIONAL_ASSET_ORDER_NOTIFICATION --limit 10 --json',
    ],
    json: 'the items of [`GET /events`](../reference/api.md#get-events), one a line',
  });
  const show = addShowCommand(group, deps);
  documentCommand(show, {
    examples: ['drawbridge events show 5e1f…0807', 'drawbridge events show 5e1f…0807 --reveal --env production'],
    json: 'the answer of [`GET /events/{eventId}`](../reference/api.md#get-eventseventid), without a body unless `--reveal` is given',
  });
  addReplayEventsCommand(group, deps);
}

/** Adds `show`: one event, whether in quarantine or not. */
export function addShowCommand(group: Command, deps: CommandDeps): Command {
  const show = group
    .command('show')
    .description('Shows an event: when it came, how often, and why it is in quarantine.')
    .argument('<event id>', 'an id of drawbridge events ls or tail; the first 8 digits suffice, or 5e1f0807…2b9c01')
    .option('--reveal', 'show the body too, which holds personal data: the log of Query records the read', false)
    .action(async (eventId: string, given: unknown) => {
      const { output, connect } = createContext(show, deps);
      const { api } = await connect();
      const isOfQuarantine = group.name() === 'quarantine';
      const isQuarantined = await showEvent({ api, output, eventId, isOfQuarantine, ...showOptions.parse(given) });
      if (isOfQuarantine && !isQuarantined) output.note('The event is not in quarantine.');
    });
  return show;
}
