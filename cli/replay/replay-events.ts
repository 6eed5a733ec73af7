import * as z from 'zod';
import type { CommandContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { formatColumns } from '#cli/output/format-columns.ts';

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

const replayed = z.object({ replayed: z.int(), continueFrom: z.string().optional() });

type Counted = z.infer<typeof counted>;

/** What was counted, and the request that replays exactly those events; undefined where there are none. */
export type ReplayCount = Omit<Counted, 'continueFrom'>;

/** Counts the events that a replay would hand to `Store` again. @throws {CommandError} */
export async function countReplay({ invoke }: Pick<Deployment, 'invoke'>, request: object): Promise<ReplayCount> {
  let count = counted.parse(await invoke('Replay', request));
  while (count.continueFrom !== undefined)
    count = counted.parse(await invoke('Replay', { continueFrom: count.continueFrom }));
  return count;
}

/** Replays what was counted. @param onReplayed called with the number so far @returns the number @throws {CommandError} */
export async function replayCounted(
  { invoke }: Pick<Deployment, 'invoke'>,
  request: object,
  onReplayed: (done: number) => void,
): Promise<number> {
  let answer = replayed.parse(await invoke('Replay', request));
  for (;;) {
    onReplayed(answer.replayed);
    if (answer.continueFrom === undefined) return answer.replayed;
    answer = replayed.parse(await invoke('Replay', { continueFrom: answer.continueFrom }));
  }
}

/** Counts events, asks, and replays exactly those. @throws {CommandError} */
export async function replayEvents(
  request: object,
  { output, connect, confirm }: CommandContext,
  { startProgress }: Pick<CommandDeps, 'startProgress'>,
): Promise<void> {
  const deployment = await connect();
  const { replay, ...count } = await countReplay(deployment, request);
  output.note(describe(count));
  if (replay === undefined) {
    output.answer({ count: count.count, replayed: 0 }, () => 'Nothing was replayed.');
    return;
  }
  await confirm(`hand ${count.count} events to Store again`);
  const progress = startProgress('Replaying', count.count);
  let before = 0;
  const done = await replayCounted(deployment, replay, (now) => {
    progress.advance(now - before);
    before = now;
  });
  progress.stop(`${done} events are on their way.`);
  output.answer(
    { count: count.count, replayed: done },
    () => `${done} events replayed. To see what is left: drawbridge quarantine count`,
  );
}

function describe({ count, byReason, byEventType, leftOut }: ReplayCount): string {
  const rows = [
    ...Object.entries(byReason).map(([reason, events]) => ['quarantine reason', reason, events]),
    ...Object.entries(byEventType).map(([type, events]) => ['type', type, events]),
  ];
  const missing = leftOut.map((eventId) => `Not replayed, because unknown or not in quarantine: ${eventId}`);
  const table = rows.length === 0 ? [] : [formatColumns(['by', 'value', 'events'], rows)];
  return [`${count} events match.`, ...table, ...missing].join('\n');
}
