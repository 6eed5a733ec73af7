import { writeEventMessage } from '#shared/events/webhook-delivery.ts';
import { storedRows } from '#test/simulation/promises/stored-events.ts';
import { newEventType } from '#test/simulation/system/platform-app.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';

/** What replay answers, as far as an operator looks at it. */
type Answer = { readonly continueFrom?: string; readonly replay?: object; readonly newest?: string };

const reason = 'UNKNOWN_EVENT_TYPE';

/** The events in quarantine of which the latest release would make more. */
export function findReplayable(system: SimulatedSystem): readonly string[] {
  const { PLATFORM_PROFILE } = system.environment;
  if (!PLATFORM_PROFILE.eventTypes.includes(newEventType)) return [];
  return storedRows(system)
    .filter((row) => row.quarantineReason === reason && row.eventType === newEventType)
    .map(({ eventId }) => eventId);
}

/** Counts what waits in quarantine, and has it replayed: as an operator does, who tries again later where it fails. */
export async function replayQuarantined(system: SimulatedSystem): Promise<void> {
  const { cloud, faults, reportBroken } = system;
  // An index may be late: not for ever.
  const isIndexLate = faults.isEnabled('stale read') && !faults.areOver();
  if (findReplayable(system).length === 0) return;
  const before = findReplayable(system);
  const counted = await invoke(system, { mode: 'count', reason });
  if (counted === undefined) return;
  const isSeen = counted.replay !== undefined || isIndexLate;
  if (!isSeen && findReplayable(system).some((eventId) => before.includes(eventId)))
    return reportBroken({ promise: 3, what: 'Events wait in quarantine, and replay counts none.' });
  const sentBefore = cloud.sends().length;
  if (counted.replay === undefined || (await invoke(system, counted.replay)) === undefined) return;
  const sent = new Set(cloud.sends().slice(sentBefore));
  const left = findReplayable(system).filter((eventId) => before.includes(eventId));
  if (!isIndexLate && left.some((eventId) => !sent.has(writeEventMessage(eventId))))
    reportBroken({
      promise: 3,
      what: 'An event waits in quarantine, and a replay that is over has not handed it over.',
    });
}

/** The last answer, where all runs that it took went well. */
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
