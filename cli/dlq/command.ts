import { type Command, Option } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { addExitCodeOption } from '#cli/command/list-options.ts';
import { recordAction } from '#cli/deployment/record-action.ts';
import { count } from '#sandbox/terminal/command-line.ts';
import { deadLetterQueues, purgeableQueues, queueArgument, redrivableQueues } from './dead-letter-queues.ts';
import { formatCount, formatMessages } from './format-messages.ts';
import { purge } from './purge.ts';
import { readMessages } from './read-messages.ts';
import { readQueues } from './read-queues.ts';
import { redrive } from './redrive.ts';

const lsOptions = z.object({ exitCode: z.boolean() });
const showOptions = z.object({ limit: z.number(), reveal: z.boolean() });

/** Adds `dlq ls`, `show`, `redrive` and `purge`: the messages that failed too often. */
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
  const show = group
    .command('show')
    .description('Shows messages of a dead-letter queue by their ids. They stay in the queue.')
    .addArgument(queueArgument())
    .addOption(new Option('--limit <number>', 'the most messages to show').argParser(count).default(10))
    .option('--reveal', 'show the bodies too, which can hold personal data: the log records who did', false)
    .action(async (name: unknown, given: unknown) => {
      const { limit, reveal } = showOptions.parse(given);
      const queue = z.enum(deadLetterQueues).parse(name);
      const { output, connect } = createContext(show, deps);
      const deployment = await connect();
      const messages = await readMessages(deployment, queue, limit);
      const messageIds = messages.map(({ messageId }) => messageId).join(',');
      if (reveal && messages.length > 0)
        await recordAction(
          deployment,
          { message: 'dead letters read', queue, size: messages.length, messageIds },
          deps,
        );
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
        const [counts = { waiting: 0, inFlight: 0 }] = await readQueues(deployment, [queue]);
        if (counts.waiting + counts.inFlight > 0) {
          output.note(
            `${queue} holds ${formatMessages(counts)}, which no other reader gets for a while. Try again in 30 seconds.`,
          );
          deps.exit(exitCodes.found);
        }
      }
      if (messages.length > 0) {
        if (messages.some(({ error }) => error === undefined))
          output.note('Why a message failed: drawbridge logs failed-messages');
        deps.exit(exitCodes.found);
      }
    });
  documentCommand(show, {
    examples: ['drawbridge dlq show WebhooksDlq', 'drawbridge dlq show WebhooksDlq --reveal --limit 1'],
    json: 'one message a line: `messageId`, `sentOn`, `receives`, `about` (`delivery`, `event`, `onboarding`, `request`, `schedule`), `id` and `error` (of a run or a request that EventBridge could not hand over); with `--reveal` also `body`',
    found: 'the queue holds a message, also where another reader has it',
  });
  const redriveCommand = group
    .command('redrive')
    .description('Moves the messages of a dead-letter queue back to their queue, once the cause is fixed.')
    .addArgument(queueArgument(redrivableQueues))
    .action(async (name: unknown) => {
      await redrive(z.enum(redrivableQueues).parse(name), createContext(redriveCommand, deps), deps);
    });
  documentCommand(redriveCommand, {
    examples: ['drawbridge dlq redrive WebhooksDlq --env production'],
    json: '`queue`, `count` (messages at the start that can be moved), `inFlight` (messages that a reader has) and `moved`',
    found: 'a reader has each message, so that none was moved',
    writes: 'moves messages, which the functions then process as if they had just come',
  });
  const purgeCommand = group
    .command('purge')
    .description('Deletes the messages of a dead-letter queue that are of no use, once the cause is fixed.')
    .addArgument(queueArgument(purgeableQueues))
    .action(async (name: unknown) => {
      await purge(z.enum(purgeableQueues).parse(name), createContext(purgeCommand, deps), deps);
    });
  documentCommand(purgeCommand, {
    examples: ['drawbridge dlq purge MissedRuns --env production'],
    json: '`queue` and `purged` (messages)',
    writes: 'deletes messages. The next scheduled run does what they stand for',
  });
  return group;
}
