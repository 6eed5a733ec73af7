import * as z from 'zod';
import type { CommandContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { type RecordDeployment, type RecordDeps, recordAction } from '#cli/deployment/record-action.ts';
import { countOf } from '#cli/output/count-of.ts';
import { formatColumns } from '#cli/output/format-columns.ts';
import { awaitReplay, describeReplay, idsOfReplay } from './await-replay.ts';
import { countReplay, type ReplayCount } from './count-replay.ts';

/** What of the request of a replay is recorded. */
const recordedCriteria = z.object({
  eventIds: z.array(z.string()).optional(),
  reason: z.string().optional(),
  eventType: z.string().optional(),
});

const replayed = z.object({ replayed: z.int(), continueFrom: z.string().optional() });

/** What was counted, if there is something to replay. */
type CountedReplay = { readonly count: number; readonly replay: object };

/**
 * Replays what was counted. The log records it before.
 *
 * @param onReplayed called with the number so far
 * @returns the number
 * @throws {CommandError}
 */
export async function replayCounted(
  deployment: RecordDeployment & Pick<Deployment, 'invoke'>,
  { count, replay: request }: CountedReplay,
  deps: RecordDeps,
  onReplayed: (done: number) => void,
): Promise<number> {
  const { invoke } = deployment;
  const { eventIds, reason, eventType } = recordedCriteria.parse(request);
  await recordAction(
    deployment,
    { message: 'replay requested', size: count, eventIds: eventIds?.join(','), reason, eventType },
    deps,
  );
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
  deps: RecordDeps & Pick<CommandDeps, 'startProgress' | 'exit' | 'wait'>,
): Promise<void> {
  const { startProgress, exit } = deps;
  const deployment = await connect();
  const { replay, ...count } = await countReplay(deployment, request);
  const leftOut = await explainLeftOut(deployment, count.leftOut);
  if (replay === undefined && leftOut.length > 0)
    throw new CommandError(
      `No event was replayed.\n${leftOut.join('\n')}`,
      'drawbridge events ls lists the events. To replay an event that is not in quarantine, add --all.',
    );
  output.note([...describe(count), ...leftOut].join('\n'));
  if (leftOut.length > 0) exit(exitCodes.found);
  if (replay === undefined) {
    output.answer({ count: count.count, replayed: 0, quarantined: {} }, () => 'Nothing was replayed.');
    return;
  }
  await confirm(`hand ${countOf(count.count, 'event')} to Store again`);
  const eventIds = await idsOfReplay(deployment, replay, count.count);
  const progress = startProgress('Replaying', count.count);
  let before = 0;
  const done = await replayCounted(deployment, { count: count.count, replay }, deps, (now) => {
    progress.advance(now - before);
    before = now;
  });
  progress.stop(done === 1 ? '1 event is on its way.' : `${done} events are on their way.`);
  const outcome = await awaitReplay(deployment, eventIds, deps);
  const back = Object.keys(outcome?.byReason ?? {}).length > 0;
  if (back) exit(exitCodes.found);
  output.answer(
    { count: count.count, replayed: done, quarantined: outcome?.byReason ?? null },
    () => `${describeReplay(done, outcome)} What is in quarantine now: drawbridge quarantine count`,
  );
}

function describe({ count, byReason, byEventType }: ReplayCount): readonly string[] {
  const rows = [
    ...Object.entries(byReason).map(([reason, events]) => ['quarantine reason', reason, events]),
    ...Object.entries(byEventType).map(([type, events]) => ['type', type, events]),
  ];
  const table = rows.length === 0 ? [] : [formatColumns(['by', 'value', 'events'], rows)];
  return [count === 1 ? '1 event matches.' : `${count} events match.`, ...table];
}

/** A line for each event that a replay by id leaves out: a count of all events knows which of them exist. */
async function explainLeftOut(
  deployment: Pick<Deployment, 'invoke'>,
  eventIds: readonly string[],
): Promise<readonly string[]> {
  if (eventIds.length === 0) return [];
  const { leftOut: unknown } = await countReplay(deployment, { eventIds, events: 'all' });
  return eventIds.map((eventId) => `${unknown.includes(eventId) ? 'unknown' : 'not in quarantine'}: ${eventId}`);
}
