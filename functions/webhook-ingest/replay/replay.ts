import { walkLanes } from '#shared/aws/list/lanes.ts';
import type { BatchQueue } from '#shared/aws/queue.ts';
import { InvalidRequestError } from '#shared/drawbridge-error.ts';
import {
  type EventScan,
  type EventScanDeps,
  readEventsById,
  type ScanPage,
  scanAllEvents,
  scanQuarantined,
} from '#shared/events/scan-events.ts';
import { writeEventMessage } from '#shared/events/webhook-delivery.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { ReplayRequest } from './replay-request.ts';
import {
  addPage,
  beginSending,
  describeCounts,
  isWalked,
  type ReplayRun,
  readReplayRun,
  writeContinuation,
} from './replay-run.ts';

export type ReplayDeps = EventScanDeps & {
  /** The webhooks queue. */
  readonly queue: BatchQueue;
  readonly log: Log;
};

/** How to continue after the time limit: invoke the function with `{"continueFrom"}`. */
type Continuation = { readonly continueFrom?: string };

/** The counts. Have nothing of the bodies of events. */
export type CountAnswer = Continuation & {
  readonly count: number;
  /** Events in quarantine, by reason. */
  readonly byReason: Readonly<Record<string, number>>;
  readonly byEventType: Readonly<Record<string, number>>;
  /** When the first and the last of them arrived. ISO 8601, UTC. */
  readonly oldest?: string | undefined;
  readonly newest?: string | undefined;
  /** Requested ids that do not count: they are missing, or not in quarantine although only such events are wanted. */
  readonly leftOut?: readonly string[];
  /** The request that replays the counted events, and no later ones. Absent if there are none, or the count is not complete. */
  readonly replay?: ReplayRequest;
};

export type ReplayAnswer = Continuation & {
  /** How many events `store` has got so far. */
  readonly replayed: number;
};

/**
 * Sends events, usually those in quarantine, to `store` again, which evaluates them with the current platform profile. Counts them
 * first. To replay an event twice is harmless, so a failed run can be repeated.
 *
 * @throws {InvalidRequestError} `QueueError`
 */
export function createReplay(deps: ReplayDeps) {
  const { queue, log } = deps;

  return async (event: unknown, stop: AbortSignal): Promise<CountAnswer | ReplayAnswer> => {
    const run = readReplayRun(event, (request) => scanOf(deps, request).lanes);
    if (run.progress.phase === 'sending') return describeReplay(await send(run, stop));
    const counted = await count(run, stop);
    if (run.request.mode === 'count') return describeCount(counted);
    if (!isOver(counted)) return describeReplay(counted);
    checkExpected(counted);
    return describeReplay(await send(beginSending(counted), stop));
  };

  async function count({ request, progress }: ReplayRun, stop: AbortSignal): Promise<ReplayRun> {
    let { tally } = progress;
    const onPage = (page: ScanPage) => {
      tally = addPage(tally, page);
    };
    const lanes = await walkLanes(scanOf(deps, request), progress.lanes, {
      mayContinue: () => !stop.aborted,
      onPage,
    });
    return { request, progress: { ...progress, lanes, tally } };
  }

  async function send({ request, progress }: ReplayRun, stop: AbortSignal): Promise<ReplayRun> {
    let { replayed } = progress;
    const onPage = async ({ events }: ScanPage) => {
      await queue.sendAll(events.map(({ eventId }) => writeEventMessage(eventId)));
      replayed += events.length;
    };
    const lanes = await walkLanes(scanOf(deps, request), progress.lanes, {
      mayContinue: () => !stop.aborted,
      onPage,
    });
    log.info('events replayed', { size: replayed - progress.replayed });
    return { request, progress: { ...progress, lanes, replayed } };
  }
}

function scanOf(deps: EventScanDeps, { eventIds, events, ...filter }: ReplayRequest): EventScan {
  if (eventIds !== undefined) return readEventsById(deps, eventIds, { isQuarantined: events === 'quarantined' });
  return events === 'all' ? scanAllEvents(deps, filter) : scanQuarantined(deps, filter);
}

/** Whether the list was walked to its end. */
function isOver({ progress }: ReplayRun): boolean {
  return isWalked(progress.lanes);
}

/** @throws {InvalidRequestError} */
function checkExpected({ request: { expected }, progress: { tally } }: ReplayRun): void {
  if (expected === undefined || tally.count <= expected) return;
  throw new InvalidRequestError(
    'ReplayCountError',
    `The count has changed from ${expected} to ${tally.count}, so nothing was replayed. Count again. If events keep coming, set "receivedTo" to some minutes ago.`,
  );
}

function describeCount(run: ReplayRun): CountAnswer {
  const { count, byReason, byEventType, oldest, newest, leftOut } = run.progress.tally;
  return {
    count,
    byReason: describeCounts(byReason),
    byEventType: describeCounts(byEventType),
    oldest,
    newest,
    ...(run.request.eventIds && { leftOut }),
    ...(isOver(run) && count > 0 && { replay: replayOf(run) }),
    ...restOf(run),
  };
}

/** Bounded by the newest counted event, so that later events are not included. */
function replayOf({ request, progress: { tally } }: ReplayRun): ReplayRequest {
  const receivedTo = request.eventIds === undefined ? tally.newest : undefined;
  return { ...request, ...(receivedTo && { receivedTo }), mode: 'replay', expected: tally.count };
}

function describeReplay(run: ReplayRun): ReplayAnswer {
  return { replayed: run.progress.replayed, ...restOf(run) };
}

function restOf(run: ReplayRun): Continuation {
  return isOver(run) ? {} : { continueFrom: writeContinuation(run) };
}
