import * as z from 'zod';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { deadLetterQueues, redrivableQueues } from '#cli/dlq/dead-letter-queues.ts';
import { readMessages } from '#cli/dlq/read-messages.ts';
import { readQueues } from '#cli/dlq/read-queues.ts';
import { quarantineAnswer } from '#shared/api/query-answers.ts';
import { defineRead } from './define-read.ts';

/** As many as SQS hands out for one request: a sample. */
const sampleSize = 10;

/** What has no effect: events in quarantine, and messages that failed too often. */
export function createQuarantineReads({ deployment }: Pick<ConsoleContext, 'deployment'>) {
  return {
    quarantine: defineRead(z.object({}), () =>
      deployment.api.send({ method: 'GET', path: '/quarantine' }, quarantineAnswer),
    ),
    deadLetters: defineRead(z.object({}), async () =>
      (await readQueues(deployment, deadLetterQueues)).map((queue) => ({
        ...queue,
        canRedrive: redrivableQueues.some((name) => name === queue.name),
      })),
    ),
    /** Some messages of a queue, by their ids. They are hidden from other readers for two seconds. */
    deadMessages: defineRead(z.object({ queue: z.enum(deadLetterQueues) }), async ({ queue }) => {
      const messages = await readMessages(deployment, queue, sampleSize);
      return messages.map(({ body: _, ...shown }) => shown);
    }),
  };
}
