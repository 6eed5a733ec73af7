import * as z from 'zod';
import type { Deployment } from '#cli/deployment/deployment.ts';

/** What `Replay` answers to a count: docs/reference/api.md. */
const counted = z.object({
  count: z.int(),
  byReason: z.record(z.string(), z.int()),
  byEventType: z.record(z.string(), z.int()),
  leftOut: z.array(z.string()).default([]),
  /** The request that replays what was counted. */
  replay: z.looseObject({}).optional(),
  continueFrom: z.string().optional(),
});

type Counted = z.infer<typeof counted>;

/** What was counted, and the request that replays exactly those events; undefined if there are none. */
export type ReplayCount = Omit<Counted, 'continueFrom'>;

/** Counts the events that a replay would hand to `Store` again. @throws {CommandError} */
export async function countReplay({ invoke }: Pick<Deployment, 'invoke'>, request: object): Promise<ReplayCount> {
  let count = counted.parse(await invoke('Replay', request));
  while (count.continueFrom !== undefined)
    count = counted.parse(await invoke('Replay', { continueFrom: count.continueFrom }));
  return count;
}
