import { writeEventMessage } from '#shared/events/webhook-delivery.ts';
import { storedRows } from '#test/simulation/promises/stored-events.ts';
import { newEventType } from '#test/simulation/system/platform-app.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';

/** The part of a replay answer that an operator reads. */
type Answer = { readonly continueFrom?: string; readonly replay?: object; readonly newest?: string };

const reason = 'UNKNOWN_EVENT_TYPE';

/** The quarantined events that the latest release can classify. */
export function findReplayable(system: SimulatedSystem): readonly string[] {
  const { PLATFORM_PROFILE } = system.environment;
  if (!PLATFORM_PROFILE.eventTypes.includes(newEventType)) return [];
  return storedRows(system)
    .filter((row) => row.quarantineReason === reason && row.eventType === newEventType)
    .map(({ eventId }) => eventId);
}

/** Counts the quarantined events and replays them. After a failure, the operator tries again later. */
export async function replayQuarantined(system: SimulatedSystem): Promise<void> {
  const { cloud, faults, reportBroken } = system;
  // An index can be stale, but not forever.
  const isIndexLate = faults.isEnabled('stale read') && !faults.areOver();
  if (findReplayable(system).length === 0) return;
  const before = findReplayable(system);
  const counted = await invoke(system, { mode: 'count', reason });
  if (counted === undefined) return;
  const isSeen = counted.replay !== undefined || isIndexLate;
  if (!isSeen && findReplayable(system).some((eventId) => before.includes(eventId)))
    return reportBroken({ promise: 3, what: 'Events are in quarantine, and replay counts none.' });
  const sentBefore = cloud.sends().length;
  if (counted.replay === undefined || (await invoke(system, counted.replay)) === undefined) return;
  const sent = new Set(cloud.sends().slice(sentBefore));
  const left = findReplayable(system).filter((eventId) => before.includes(eventId));
  if (!isIndexLate && left.some((eventId) => !sent.has(writeEventMessage(eventId))))
    reportBroken({
      promise: 3,
      what: 'An event is in quarantine, and a finished replay has not handed it over.',
    });
}

/** Runs replay until its end. Returns the last answer, or undefined when a run failed. */
async function invoke({ lambda }: SimulatedSystem, request: object): Promise<Answer | undefined> {
  let next = request;
  for (;;) {
    const outcome = await lambda('replay').invoke(next);
    if (!('answer' in outcome)) return undefined;
    const answer = outcome.answer as Answer;
    if (answer.continueFrom === undefined) return answer;
    next = { continueFrom: answer.continueFrom };
  }
}
