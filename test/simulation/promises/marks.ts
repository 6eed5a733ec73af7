import { readUndelivered } from '#functions/retry-undelivered/drain/undelivered-record.ts';
import type { UndeliveredRecord } from '#sandbox/platform/webhooks/undelivered-webhooks.ts';
import { readEventRow } from '#shared/events/event-row.ts';
import { inflateBody, writeEventMessage } from '#shared/events/webhook-delivery.ts';
import { simulatedProfile } from '#test/simulation/system/platform-app.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import { foreignCanary, isForeign } from '#test/simulation/workload/plan-foreign-records.ts';
import type { BrokenPromise, FinalCheck } from './promise.ts';
import { storedRows } from './stored-events.ts';

/** Promise 5: every marked record is committed to the event store and handed over. */
export function checkMark(system: SimulatedSystem, records: readonly UndeliveredRecord[]): BrokenPromise | undefined {
  system.judged(5, records.length);
  const [foreign] = records.filter(isForeign);
  if (foreign !== undefined) return { promise: 5, what: `${foreign.id} of another system is marked as delivered.` };
  const unsafe = records.find((record) => !isSafe(system, record));
  return unsafe && { promise: 5, what: `${unsafe.id} is marked as delivered, and is not committed.` };
}

/** Promise 5: no record of another system is stored. */
export const checkForeign: FinalCheck = (system) => {
  const rows = storedRows(system);
  system.judged(5, rows.length);
  const kept = rows.find(({ deflatedBody }) => Buffer.from(inflateBody(deflatedBody)).includes(foreignCanary));
  return kept && { promise: 5, what: `A record of another system is stored as ${kept.eventType}.` };
};

/** The maximum number of hand-overs of an event. A crash or a lost response causes another one. */
const maxHandOvers = 20;

/** Promise 9: the number of listings does not increase the number of hand-overs. */
export const checkHandOvers: FinalCheck = ({ cloud, judged }) => {
  const times = new Map<string, number>();
  // An operator may replay an event more often, while AWS is down.
  for (const text of cloud.sendsBy('drain'))
    if (text.startsWith('{"eventId"')) times.set(text, (times.get(text) ?? 0) + 1);
  judged(9, times.size);
  const maxTimes = Math.max(0, ...times.values());
  return maxTimes <= maxHandOvers ? undefined : { promise: 9, what: `An event was handed over ${maxTimes} times.` };
};

function isSafe({ cloud, scheduler }: SimulatedSystem, record: UndeliveredRecord): boolean {
  // The platform lists exactly this text.
  const bytes = Buffer.from(JSON.stringify(record));
  const read = { value: JSON.parse(bytes.toString()), bytes };
  const { pieces } = readUndelivered(read, { profile: simulatedProfile, now: () => new Date(scheduler.now()) });
  // A record without a piece would be lost.
  return (
    pieces.length > 0 &&
    pieces.every(({ event: { eventId }, delivery }) => {
      const item = cloud.dynamodb.table('events').get({ eventId: { S: eventId } });
      const isCommitted = item && readEventRow(item).deliveryIds.some((id) => id.endsWith(`#${delivery.deliveryId}`));
      return isCommitted === true && cloud.sent().has(writeEventMessage(eventId));
    })
  );
}
