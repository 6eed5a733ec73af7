import { readUndelivered } from '#functions/retry-undelivered/undelivered-record.ts';
import type { UndeliveredRecord } from '#sandbox/platform/webhooks/undelivered-webhooks.ts';
import { readEventRow } from '#shared/event-row.ts';
import { writeEventMessage } from '#shared/webhook-delivery.ts';
import { simulatedProfile } from '#test/simulation/world/platform-app.ts';
import type { World } from '#test/simulation/world/world.ts';
import type { Broken } from './promise.ts';

/** Promise 5: what is marked is committed to the event store, and handed over. */
export function checkMark(world: World, records: readonly UndeliveredRecord[]): Broken | undefined {
  const unsafe = records.find((record) => !isSafe(world, record));
  return unsafe && { promise: 5, what: `${unsafe.id} is marked as delivered, and is not committed.` };
}

function isSafe({ cloud, scheduler }: World, record: UndeliveredRecord): boolean {
  // What the platform lists is this very text.
  const bytes = Buffer.from(JSON.stringify(record));
  const read = { value: JSON.parse(bytes.toString()), bytes };
  const { intakes } = readUndelivered(read, { profile: simulatedProfile, now: () => new Date(scheduler.now()) });
  // A record of which nothing is to be kept would be lost.
  return (
    intakes.length > 0 &&
    intakes.every(({ event: { eventId }, delivery }) => {
      const item = cloud.dynamodb.table('events').get({ eventId: { S: eventId } });
      const isCommitted = item && readEventRow(item).deliveryIds.some((id) => id.endsWith(`#${delivery.deliveryId}`));
      return isCommitted === true && cloud.sent().has(writeEventMessage(eventId));
    })
  );
}
