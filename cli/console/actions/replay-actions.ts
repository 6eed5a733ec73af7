import * as z from 'zod';
import { CommandError } from '#cli/command/command-error.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { countOf } from '#cli/output/count-of.ts';
import { awaitReplay, describeReplay, idsOfReplay } from '#cli/replay/await-replay.ts';
import { countReplay } from '#cli/replay/count-replay.ts';
import { replayCounted } from '#cli/replay/replay-events.ts';
import { defineAction, type PreparedAction } from './define-action.ts';

const eventInput = z.object({ eventId: z.string(), isAnyEvent: z.boolean() });

const quarantineInput = z.object({
  reason: z.string().optional(),
  eventType: z.string().optional(),
  receivedFrom: z.string().optional(),
  receivedTo: z.string().optional(),
});

/** Reasons and types count the same events: the name says which of both a line is. */
const named = (what: string, counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([name, count]) => [`${what}: ${name}`, count] as const);

/** Hands events to `Store` again. */
export function createReplayActions({ deployment, deps }: Pick<ConsoleContext, 'deployment' | 'deps'>) {
  async function prepare(request: object): Promise<PreparedAction> {
    const { count, byReason, byEventType, leftOut, replay } = await countReplay(deployment, request);
    return {
      preview: {
        will: `hand ${countOf(count, 'event')} to Store again`,
        count,
        facts: [...named('Reason', byReason), ...named('Type', byEventType)],
        lines: leftOut.map((eventId) => `Not replayed, because unknown or not in quarantine: ${eventId}`),
        canRun: replay !== undefined,
      },
      run: async (onProgress) => {
        if (replay === undefined) throw new CommandError('No event matches.', 'drawbridge quarantine count');
        const eventIds = await idsOfReplay(deployment, replay, count);
        // Replay refuses to begin when the count is no longer what was shown.
        const done = await replayCounted(deployment, { count, replay }, deps, (replayed) =>
          onProgress(replayed, count),
        );
        const outcome = await awaitReplay(deployment, eventIds, deps);
        return { message: describeReplay(done, outcome), isFailure: Object.keys(outcome?.byReason ?? {}).length > 0 };
      },
    };
  }

  return {
    replayEvent: defineAction(eventInput, ({ eventId, isAnyEvent }) =>
      prepare({ eventIds: [eventId], ...(isAnyEvent && { events: 'all' }) }),
    ),
    replayQuarantine: defineAction(quarantineInput, (filter) => prepare(filter)),
  };
}
