import * as z from 'zod';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { redrivableQueues } from '#cli/dlq/dead-letter-queues.ts';
import { readQueues } from '#cli/dlq/read-queues.ts';
import { moveMessages } from '#cli/dlq/redrive.ts';
import { defineAction } from './define-action.ts';

/** Moves dead letters back to their queues. */
export function createQueueActions({ deployment, deps }: Pick<ConsoleContext, 'deployment' | 'deps'>) {
  return {
    redrive: defineAction(z.object({ queue: z.enum(redrivableQueues) }), async ({ queue }) => {
      const [status] = await readQueues(deployment, [queue]);
      const count = status?.waiting ?? 0;
      return {
        preview: {
          will: `move ${count} ${count === 1 ? 'message' : 'messages'} of ${queue} back`,
          count,
          canRun: count > 0,
        },
        run: async (onProgress) => {
          const moved = await moveMessages(deployment, { queue, count }, deps, (done) => onProgress(done, count));
          return { message: `${moved} of ${count} are in their queue again.` };
        },
      };
    }),
  };
}
