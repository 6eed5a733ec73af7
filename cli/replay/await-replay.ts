import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { readEvents } from '#cli/deployment/api-reads.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { readQueue } from '#cli/dlq/read-queues.ts';
import { countOf } from '#cli/output/count-of.ts';
import { countReplay, type ReplayCount } from './count-replay.ts';

/**
 * How many of the replayed events are in quarantine, by reason, and whether Store is done with all of them. Undefined if
 * the events are not followed: too many, or not all from quarantine.
 */
export type ReplayOutcome = (Pick<ReplayCount, 'byReason'> & { readonly isDone: boolean }) | undefined;

/** A request by ids has no more. */
const maxFollowed = 1_000;

/** In milliseconds: between two reads of the queue. */
const interval = 1_000;

/** SQS counts a queue late on AWS, and other webhooks can keep the queue from being empty. */
const rounds = { laptop: 30, aws: 60 };

/** Store counts as done once the queue is empty in so many consecutive rounds. */
const emptyRounds = { laptop: 2, aws: 5 };

const criteria = z.object({
  eventIds: z.array(z.string()).optional(),
  reason: z.string().optional(),
  eventType: z.string().optional(),
  receivedFrom: z.string().optional(),
  receivedTo: z.string().optional(),
  events: z.string().optional(),
});

type FollowDeployment = Pick<Deployment, 'api' | 'clients' | 'invoke' | 'isLaptop' | 'resources'>;

/**
 * The ids of the events that a replay is about to hand to Store; undefined if they cannot be followed.
 *
 * @param request of the replay itself, which leaves out what came after the count
 * @throws {CommandError}
 */
export async function idsOfReplay(
  { api }: Pick<Deployment, 'api'>,
  request: object,
  count: number,
): Promise<readonly string[] | undefined> {
  const { eventIds, reason = 'ANY', eventType, receivedFrom, receivedTo, events } = criteria.parse(request);
  // An event that was never in quarantine is not in it before Store has run either: nothing shows its effect.
  if (events === 'all') return undefined;
  if (eventIds !== undefined) return eventIds;
  if (count > maxFollowed) return undefined;
  const filter = { quarantineReason: reason, eventType, receivedFrom, receivedTo };
  const { items } = await readEvents(api, filter, maxFollowed);
  return items.map(({ eventId }) => eventId);
}

/** Waits until Store has applied the events, as far as the queue shows it, and counts those that are in quarantine. @throws {CommandError} */
export async function awaitReplay(
  deployment: FollowDeployment,
  eventIds: readonly string[] | undefined,
  { wait }: Pick<CommandDeps, 'wait'>,
): Promise<ReplayOutcome> {
  if (eventIds === undefined || eventIds.length === 0) return undefined;
  const place = deployment.isLaptop ? 'laptop' : 'aws';
  for (let round = 0, empty = 0; ; round += 1) {
    const { waiting, inFlight, delayed } = await readQueue(deployment, 'Webhooks');
    empty = waiting + inFlight + delayed === 0 ? empty + 1 : 0;
    const { count, byReason } = await countReplay(deployment, { eventIds });
    const isDone = count === 0 || empty >= emptyRounds[place];
    if (isDone || round >= rounds[place]) return { byReason, isDone };
    await wait(interval);
  }
}

/** `1 event has its effect. 1 is back in quarantine: UNKNOWN_EVENT_TYPE.` */
export function describeReplay(replayed: number, outcome: ReplayOutcome): string {
  if (outcome === undefined)
    return `${countOf(replayed, 'event')} ${replayed === 1 ? 'is' : 'are'} on the way through Store.`;
  const { byReason, isDone } = outcome;
  const back = Object.values(byReason).reduce((sum, count) => sum + count, 0);
  const done = replayed - back;
  const effects = `${countOf(done, 'event')} ${done === 1 ? 'has its effect' : 'have their effect'}.`;
  if (back === 0) return effects;
  const quarantined = `${back} ${back === 1 ? 'is' : 'are'} ${isDone ? 'back' : 'still'} in quarantine: ${Object.keys(byReason).join(', ')}.${isDone ? '' : ' Store may not be done.'}`;
  return done === 0 ? quarantined : `${effects} ${quarantined}`;
}
