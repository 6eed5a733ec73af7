import { Argument, type Command, Option } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { addExitCodeOption } from '#cli/command/list-options.ts';
import { recordMessages } from '#cli/deployment/record-action.ts';
import { countOf } from '#cli/output/count-of.ts';
import { count } from '#sandbox/terminal/command-line.ts';
import { type DeadLetterQueueName, deadLetterQueues, purgeableQueues, redrivableQueues } from './dead-letter-queues.ts';
import { formatCount, formatMessages } from './format-messages.ts';
import { purge } from './purge.ts';
import { explainMessages } from './read-errors.ts';
import { readMessages } from './read-messages.ts';
import { readQueue, readQueues } from './read-queues.ts';
import { redrive } from './redrive.ts';
import { deleteChosen, describeMissing, isKept, keepFolderIn, nameMessages } from './take-messages.ts';

const lsOptions = z.object({ exitCode: z.boolean() });
const deleteOptions = z.object({ all: z.boolean(), keep: z.string() });
const showOptions = z.object({ limit: z.number(), reveal: z.boolean(), exitCode: z.boolean() });

/** Adds `dlq ls`, `show`, `redrive`, `delete` and `purge`: the messages that failed too often. */
export function addDlqCommand(program: Command, deps: CommandDeps): Command {
  const group = program.command('dlq').description('The messages that failed too often.');
  const ls = addExitCodeOption(
    group.command('ls').description('Counts the messages of each dead-letter queue.'),
  ).action(async (given: unknown) => {
    const { exitCode } = lsOptions.parse(given);
    const { output, connect } = createContext(ls, deps);
    const queues = await readQueues(await connect(), deadLetterQueues);
    output.list(queues, {
      head: ['queue', 'messages'],
      row: ({ name, ...counts }) => [name, formatCount(counts)],
      none: 'There is no dead-letter queue.',
    });
    if (exitCode && queues.some(({ waiting, inFlight }) => waiting + inFlight > 0)) deps.exit(exitCodes.found);
  });
  documentCommand(ls, {
    examples: ['drawbridge dlq ls --env production'],
    json: '`name`, `waiting`, `inFlight` and `delayed` of each queue, one a line',
    found: '`--exit-code` is given, and a dead-letter queue holds a message',
  });
  const show = addExitCodeOption(
    group
      .command('show')
      .description(
        'Shows messages of a dead-letter queue, each with the error that failed it. They stay in the queue.',
      ),
  )
    .addArgument(queueArgument())
    .addOption(new Option('--limit <number>', 'the most messages to show').argParser(count).default(10))
    .option('--reveal', 'show the bodies too, which can hold personal data: the log records who did', false)
    .action(async (name: unknown, given: unknown) => {
      const { limit, reveal, exitCode } = showOptions.parse(given);
      const queue = z.enum(deadLetterQueues).parse(name);
      const { output, connect } = createContext(show, deps);
      const deployment = await connect();
      const read = await readMessages(deployment, queue, limit);
      const { messages, unread } = await explainMessages(deployment, read, deps);
      if (unread !== undefined) output.note(`The log cannot be read for the errors: ${unread}`);
      const messageIds = messages.map(({ messageId }) => messageId);
      if (reveal) await recordMessages(deployment, { message: 'dead letters read', queue, messageIds }, deps);
      const shown = messages.map(({ body, ...message }) => ({ ...message, ...(reveal && { body }) }));
      output.list(shown, {
        head: ['message id', 'sent', 'receives', 'about', 'id', 'error', ...(reveal ? ['body'] : [])],
        row: ({ messageId, sentOn, receives, about, id, error, ...more }) => [
          ...[messageId, sentOn, receives, about, id, error],
          ...('body' in more ? [more.body] : []),
        ],
        none: `${queue} has no message to show.`,
      });
      if (messages.length === 0) {
        const counts = await readQueue(deployment, queue);
        if (counts.waiting + counts.inFlight > 0) {
          output.note(
            `${queue} holds ${formatMessages(counts)}, which another reader has now. Try again in 30 seconds, or in 10 minutes after an interrupted redrive or delete.`,
          );
          if (exitCode) deps.exit(exitCodes.found);
        }
      }
      if (messages.length > 0) {
        if (unread === undefined && messages.some(({ error }) => error === undefined))
          output.note('The log has no error of some messages: drawbridge logs errors-by-function --from 14d');
        if (messages.length === limit)
          output.note(`The queue can hold more than these ${limit}. To see them, raise --limit.`);
        output.note(describeNext(queue));
        if (exitCode) deps.exit(exitCodes.found);
      }
    });
  documentCommand(show, {
    examples: ['drawbridge dlq show WebhooksDlq', 'drawbridge dlq show WebhooksDlq --reveal --limit 1'],
    json: 'one message a line: `messageId`, `sentOn`, `receives`, `about` (`delivery`, `event`, `onboarding`, `request`, `schedule`), `id` and `error` (what a function logged last about the message, or why EventBridge could not hand it over); with `--reveal` also `body`',
    found: '`--exit-code` is given, and the queue holds a message, also where another reader has it',
  });
  const redriveCommand = group
    .command('redrive')
    .description('Moves messages of a dead-letter queue back to their queue, once the cause is fixed: all, or some.')
    .addArgument(queueArgument(redrivableQueues))
    .argument('[message ids...]', 'only these messages of dlq show, by ids that are short or whole')
    .action(async (name: unknown, messageIds: readonly string[]) => {
      const queue = z.enum(redrivableQueues).parse(name);
      await redrive({ queue, messageIds }, createContext(redriveCommand, deps), deps);
    });
  documentCommand(redriveCommand, {
    examples: [
      'drawbridge dlq redrive WebhooksDlq --env production',
      'drawbridge dlq redrive WebhooksDlq 5e1f0807-0000-4000-8000-000000000000',
    ],
    json: '`queue`, `count` (messages at the start that can be moved), `inFlight` (messages that a reader has) and `moved`; with ids `queue`, `moved`, `messageIds` (those moved) and `missing` (ids)',
    found: 'a reader has each message, so that none was moved, or the queue does not have some of the ids',
    writes: 'moves messages, which the functions then process again',
  });
  const deleteCommand = group
    .command('delete')
    .description('Deletes messages that can never be processed. The body of each is kept in a file first.')
    .addArgument(queueArgument())
    .argument('[message ids...]', 'the messages of dlq show, by ids that are short or whole')
    .option('--all', 'all messages of the queue', false)
    .option(
      '--keep <folder>',
      'where to make the folder dead-letters, with a file for each body that only you can read',
      '.',
    )
    .action(async (name: unknown, messageIds: readonly string[], given: unknown) => {
      const { all, keep } = deleteOptions.parse(given);
      const queue = z.enum(deadLetterQueues).parse(name);
      if (all === messageIds.length > 0)
        throw new CommandError('Name the messages, or all of them with --all.', `drawbridge dlq show ${queue}`);
      const { output, connect, confirm } = createContext(deleteCommand, deps);
      const deployment = await connect();
      await confirm(`delete ${all ? 'all messages' : nameMessages(messageIds)} of ${queue}`);
      const keepIn = keepFolderIn(keep);
      const chosen = { queue, messageIds: all ? undefined : messageIds, keepIn };
      const { taken, missing } = await deleteChosen(deployment, chosen, deps, () => undefined);
      for (const line of describeMissing({ missing })) output.note(line);
      if (missing.length > 0) deps.exit(exitCodes.found);
      const keptIn = isKept(queue) && taken.length > 0 ? keepIn : null;
      const left = all ? await readQueue(deployment, queue) : undefined;
      const answer = { queue, deleted: taken.length, ...(!all && { messageIds: taken }), missing, keptIn };
      output.answer({ ...answer, ...(left && { left: left.waiting + left.inFlight }) }, () =>
        [
          `Deleted ${all ? countOf(taken.length, 'message') : nameMessages(taken)} of ${queue}.`,
          ...(keptIn === null ? [] : [`The bodies, which can hold personal data, are in ${keptIn}.`]),
          ...(left ? [`SQS counts ${formatMessages(left)} in the queue now: the count can be a minute old.`] : []),
        ].join(' '),
      );
    });
  documentCommand(deleteCommand, {
    examples: ['drawbridge dlq delete WebhooksDlq 5e1f0807-0000-4000-8000-000000000000 --keep poison'],
    json: '`queue`, `deleted` (messages), `messageIds` (those deleted, unless `--all` is given), `missing` (ids) and `keptIn` (the folder of the bodies, or null if the queue has none to keep); with `--all` also `left` (messages that SQS still counts, up to a minute late)',
    found: 'the queue does not have some of the ids',
    writes: 'deletes messages, and writes their bodies to files',
  });
  const purgeCommand = group
    .command('purge')
    .description('Deletes all messages of a dead-letter queue. The next scheduled run does their work anyway.')
    .addArgument(queueArgument(purgeableQueues))
    .action(async (name: unknown) => {
      await purge(z.enum(purgeableQueues).parse(name), createContext(purgeCommand, deps), deps);
    });
  documentCommand(purgeCommand, {
    examples: ['drawbridge dlq purge MissedRuns --env production'],
    json: '`queue` and `purged` (messages)',
    writes: 'deletes messages. The next scheduled run does their work',
  });
  return group;
}

/** What to do with messages, once their errors are known. */
function describeNext(queue: DeadLetterQueueName): string {
  if (!isKept(queue))
    return `The next scheduled run does their work. Once the cause is fixed: drawbridge dlq purge ${queue}`;
  return [
    `Once the cause is fixed: drawbridge dlq redrive ${queue}`,
    `A message that can never be processed: drawbridge dlq delete ${queue} MESSAGE_ID`,
  ].join('\n');
}

function queueArgument(names: readonly DeadLetterQueueName[] = deadLetterQueues): Argument {
  return new Argument('<queue>', 'the dead-letter queue').choices([...names]);
}
