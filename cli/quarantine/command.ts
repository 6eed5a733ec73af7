import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { addExitCodeOption, addListOptions, listOptions, resolveMoments } from '#cli/command/list-options.ts';
import { addShowCommand } from '#cli/events/command.ts';
import { listEvents } from '#cli/events/list-events.ts';
import { formatColumns, type Width } from '#cli/output/format-columns.ts';
import { addReplayQuarantineCommand } from '#cli/replay/command.ts';
import { type QuarantineAnswer, quarantineAnswer } from '#shared/api/query-answers.ts';
import { quarantineRemedy } from '#shared/events/quarantine-remedies.ts';
import { anyReason, checkReason } from './check-reason.ts';

const lsOptions = z.object({ ...listOptions, reason: z.string(), type: z.string().optional(), exitCode: z.boolean() });
const countOptions = z.object({ exitCode: z.boolean() });

/** Adds `quarantine count`, `ls`, `show` and `replay`: the events that have no effect. */
export function addQuarantineCommand(program: Command, deps: CommandDeps): void {
  const group = program.command('quarantine').description('The events that are stored and have no effect.');
  const count = addExitCodeOption(
    group.command('count').description('Counts the events in quarantine by reason and event type.'),
  ).action(async (given: unknown) => {
    const { exitCode } = countOptions.parse(given);
    const { output, connect } = createContext(count, deps);
    const { api } = await connect();
    const answer = await api.send({ method: 'GET', path: '/quarantine' }, quarantineAnswer);
    output.answer(answer, (width) => formatCounts(answer, width));
    if (exitCode && answer.count > 0) deps.exit(exitCodes.found);
  });
  documentCommand(count, {
    examples: ['drawbridge quarantine count --env production'],
    json: 'the answer of [`GET /quarantine`](../reference/api.md#get-quarantine)',
    found: '`--exit-code` is given, and an event is in quarantine',
  });
  const ls = addExitCodeOption(
    addListOptions(
      group.command('ls').description('Counts and lists the events in quarantine, the latest received first.'),
      'received',
    ),
  )
    .option('--reason <reason>', 'only events in quarantine for this reason', anyReason)
    .option('--type <event type>', 'only events of this type')
    .action(async (given: unknown) => {
      const { reason: quarantineReason, type: eventType, limit, exitCode, ...times } = lsOptions.parse(given);
      if (quarantineReason !== anyReason) checkReason(quarantineReason);
      const { output, connect } = createContext(ls, deps);
      const deployment = await connect();
      const { api } = deployment;
      const { from: receivedFrom, to: receivedTo } = await resolveMoments(times, deployment, deps);
      const counts = await api.send(
        { method: 'GET', path: '/quarantine', query: { receivedFrom, receivedTo } },
        quarantineAnswer,
      );
      const matching = countsThat(counts, { quarantineReason, eventType });
      output.note(
        matching.count === 0 && counts.count > 0
          ? 'Other events are in quarantine: drawbridge quarantine count'
          : `${formatCounts(matching)}\n`,
      );
      const filter = { quarantineReason, eventType, receivedFrom, receivedTo };
      const listed = await listEvents({ api, output, filter, limit });
      if (exitCode && listed > 0) deps.exit(exitCodes.found);
    });
  documentCommand(ls, {
    examples: ['drawbridge quarantine ls', 'drawbridge quarantine ls --reason UNKNOWN_EVENT_TYPE --from 7d --json'],
    json: 'the items of [`GET /events`](../reference/api.md#get-events), one a line',
    found: '`--exit-code` is given, and an event is in quarantine',
  });
  const show = addShowCommand(group, deps);
  documentCommand(show, {
    examples: ['drawbridge quarantine show 5e1f…0807'],
    json: 'the answer of [`GET /events/{eventId}`](../reference/api.md#get-eventseventid), without a body unless `--reveal` is given',
  });
  addReplayQuarantineCommand(group, deps);
}

/** The counts of the events that are listed: those of others hide that a filter matches nothing. */
function countsThat(
  { counts, ...answer }: QuarantineAnswer,
  { quarantineReason, eventType }: { readonly quarantineReason: string; readonly eventType: string | undefined },
): QuarantineAnswer {
  const matching = counts.filter(
    (one) =>
      [anyReason, one.quarantineReason].includes(quarantineReason) && (eventType ?? one.eventType) === one.eventType,
  );
  return { ...answer, counts: matching, count: matching.reduce((sum, { count }) => sum + count, 0) };
}

function formatCounts({ count, counts, nextCursor }: QuarantineAnswer, width?: Width): string {
  if (count === 0) return 'No event is in quarantine.';
  const rows = counts.map((one) => [one.quarantineReason, one.eventType, one.count, one.expiresOn]);
  const all =
    nextCursor === undefined && count === 1
      ? '1 event is in quarantine.'
      : `${count}${nextCursor === undefined ? '' : '+'} events are in quarantine.`;
  const explained = [...new Set(counts.map(({ quarantineReason }) => quarantineReason))].map((reason) => {
    const { means, fix } = quarantineRemedy(reason);
    return `- ${reason}: ${means} ${fix}`;
  });
  const next = 'Once a cause is fixed: drawbridge quarantine replay --reason REASON';
  return [
    formatColumns(['quarantine reason', 'type', 'events', 'first deleted on'], rows, width),
    all,
    [...explained, next].join('\n'),
  ].join('\n\n');
}
