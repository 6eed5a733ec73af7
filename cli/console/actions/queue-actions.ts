import * as z from 'zod';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import {
  type DeadLetterQueueName,
  deadLetterQueues,
  purgeableQueues,
  redrivableQueues,
} from '#cli/dlq/dead-letter-queues.ts';
import { purgeQueue } from '#cli/dlq/purge.ts';
import { countMessages, moveMessages } from '#cli/dlq/redrive.ts';
import {
  deleteChosen,
  describeMissing,
  isKept,
  keepFolderIn,
  redriveChosen,
  type Taken,
} from '#cli/dlq/take-messages.ts';
import { countOf } from '#cli/output/count-of.ts';
import { type ActionResult, defineAction } from './define-action.ts';

/** Undefined for all messages of the queue. */
const messageIds = z.array(z.string()).min(1).max(1_000).optional();

/** Moves dead letters back to their queues, or deletes them. */
export function createQueueActions({
  deployment,
  deps,
  folder,
}: Pick<ConsoleContext, 'deployment' | 'deps' | 'folder'>) {
  const keepIn = keepFolderIn(folder);

  /** Those that another reader has are counted once it gives them back, such as the page that lists them. */
  async function countOfQueue(queue: DeadLetterQueueName): Promise<number> {
    const { waiting } = await countMessages(deployment, queue, deps.wait);
    return waiting;
  }

  const resultOf = ({ taken, missing }: Taken, did: string): ActionResult => ({
    message: `${countOf(taken.length, 'message')} ${taken.length === 1 ? 'is' : 'are'} ${did}.`,
    lines: describeMissing({ missing }),
    isFailure: missing.length > 0,
  });

  return {
    redrive: defineAction(
      z.object({ queue: z.enum(redrivableQueues), messageIds }),
      async ({ queue, messageIds: ids }) => {
        const count = ids?.length ?? (await countOfQueue(queue));
        return {
          preview: { will: `move ${countOf(count, 'message')} of ${queue} back`, count, canRun: count > 0 },
          run: async (onProgress) => {
            if (ids !== undefined)
              return resultOf(
                await redriveChosen(deployment, { queue, messageIds: ids }, deps, (done) => onProgress(done, count)),
                'in the queue again',
              );
            const moved = await moveMessages(deployment, { queue, count }, deps, (done) => onProgress(done, count));
            return { message: `${moved} of ${count} messages moved back.` };
          },
        };
      },
    ),
    deleteLetters: defineAction(
      z.object({ queue: z.enum(deadLetterQueues), messageIds }),
      async ({ queue, messageIds: ids }) => {
        const count = ids?.length ?? (await countOfQueue(queue));
        return {
          preview: {
            will: `delete ${countOf(count, 'message')} of ${queue}`,
            count,
            lines: isKept(queue)
              ? [`Each body is first written to a file in ${keepIn}, on the machine that runs this console.`]
              : ['The next scheduled run does their work.'],
            canRun: count > 0,
          },
          run: async (onProgress) => {
            const purgeable = purgeableQueues.find((name) => name === queue);
            if (ids === undefined && purgeable !== undefined) {
              await purgeQueue(deployment, { queue: purgeable, count }, deps);
              return { message: `SQS deletes ${countOf(count, 'message')} of ${queue} within a minute.` };
            }
            const chosen = { queue, messageIds: ids, max: count, keepIn };
            const taken = await deleteChosen(deployment, chosen, deps, (done) => onProgress(done, count));
            return resultOf(taken, isKept(queue) ? `deleted, and kept in ${keepIn}` : 'deleted');
          },
        };
      },
    ),
  };
}
