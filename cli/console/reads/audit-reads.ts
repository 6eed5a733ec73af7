import * as z from 'zod';
import { readActions } from '#cli/audit/read-actions.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { defineRead } from './define-read.ts';

/** Days that the page offers. */
const days = z.enum(['7', '30', '365']);

/** In milliseconds. */
const day = 24 * 3_600_000;

/** A page of more rows helps no one: the command lists up to 10,000. */
const limit = 500;

/** What persons did with the deployment. */
export function createAuditReads({ deployment, deps }: Pick<ConsoleContext, 'deployment' | 'deps'>) {
  return {
    /** The actions of the last days, the latest first. Searches the logs, which costs on AWS. */
    actions: defineRead(z.object({ days }), async (query) => {
      const now = await readClock(deployment, deps);
      const from = new Date(now.getTime() - Number(query.days) * day).toISOString();
      const actions = await readActions(deployment, { from, limit }, deps);
      return { actions, isAll: actions.length < limit };
    }),
  };
}
