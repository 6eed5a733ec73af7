import * as z from 'zod';
import { CommandError } from '#cli/command/command-error.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { recordAction } from '#cli/deployment/record-action.ts';
import { deadLetterQueues, redrivableQueues } from '#cli/dlq/dead-letter-queues.ts';
import { explainMessages } from '#cli/dlq/read-errors.ts';
import { holdMessages, readMessages } from '#cli/dlq/read-messages.ts';
import { readQueues } from '#cli/dlq/read-queues.ts';
import { quarantineAnswer } from '#shared/api/query-answers.ts';
import { defineRead } from './define-read.ts';

/** As many as a page shows. */
const maxMessages = 50;

const oneMessage = z.object({ queue: z.enum(deadLetterQueues), messageId: z.string() });

/** What has no effect: events in quarantine, and messages that failed too often. */
export function createQuarantineReads({ deployment, deps }: Pick<ConsoleContext, 'deployment' | 'deps'>) {
  return {
    quarantine: defineRead(z.object({}), () =>
      deployment.api.send({ method: 'GET', path: '/quarantine' }, quarantineAnswer),
    ),
    deadLetters: defineRead(z.object({}), async () =>
      (await readQueues(deployment, deadLetterQueues)).map((queue) => ({
        ...queue,
        /** The name for the action that redrives, if the queue has one. */
        canRedrive: redrivableQueues.find((name) => name === queue.name),
      })),
    ),
    /** Messages of a queue with the errors that failed them, and without their bodies. Searches the log, which costs on AWS. */
    deadMessages: defineRead(z.object({ queue: z.enum(deadLetterQueues) }), async ({ queue }) => {
      const found = await readMessages(deployment, queue, maxMessages);
      const { messages, unread } = await explainMessages(deployment, found, deps);
      const shown = messages.map(({ body: _, ...message }) => message);
      return { messages: shown, mayHaveMore: found.length === maxMessages, unread };
    }),
    /** The body of one message. The log records who reads it, and without a record there is no body. */
    deadMessageBody: defineRead(oneMessage, async ({ queue, messageId }) => {
      const isEnough = (found: ReadonlyMap<string, unknown>) => found.has(messageId);
      return holdMessages(deployment, { queue, isEnough }, async (messages) => {
        const body = messages.find((message) => message.messageId === messageId)?.body;
        if (body === undefined)
          throw new CommandError('The queue did not hand out the message.', 'show the messages of the queue again.');
        await recordAction(deployment, { message: 'dead letters read', queue, size: 1, messageIds: messageId }, deps);
        return { body };
      });
    }),
  };
}
