import { randomUUID } from 'node:crypto';
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import type { Host } from '#sandbox/aws/host.ts';
import { createCheckpoint } from '#shared/aws/checkpoint.ts';
import { usualLanes } from '#shared/aws/list/lanes.ts';
import { identifyEvent } from '#shared/events/event.ts';
import { newEventRow } from '#shared/events/event-row.ts';
import { deflateBody } from '#shared/events/webhook-delivery.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { fillJob, fillProgress } from '#shared/persons/fill-person-index.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

const dayMs = 86_400_000;

/** One webhook in a thousand is of a type that the functions do not know. */
const quarantineEvery = 1_000;

/** BatchWriteItem takes no more. */
const batchSize = 25;

/** Fills the events table with webhooks of the last 30 days, as Store writes their rows. */
export async function fillEvents({ clients, blueprint }: Host, count: number, now: Date): Promise<void> {
  const tableNamed = (table: string) => blueprint.tables.find(({ name }) => name === table)?.physicalName ?? '';
  const TableName = tableNamed('events');
  const profile = platformProfile.parse({});
  const { eventTypes } = profile;
  const expiresAt = Math.ceil((now.getTime() + dayMs) / 1_000);
  const rowOf = (index: number) => {
    const receivedOn = new Date(now.getTime() - Math.round((index * 30 * dayMs) / count) - 60_000).toISOString();
    const isUnknown = index % quarantineEvery === quarantineEvery - 1;
    const eventType = isUnknown ? 'FORMER_NOTIFICATION' : (eventTypes[index % eventTypes.length] ?? '');
    const body = Buffer.from(JSON.stringify({ orderId: randomUUID(), status: 'PENDING', modifiedOn: receivedOn }));
    const event = identifyEvent(eventType, body, profile);
    const delivery = { deliveryId: randomUUID(), eventType, receivedOn, deflatedBody: deflateBody(body) };
    return newEventRow(event, delivery, expiresAt, { types: eventTypes, lanes: usualLanes });
  };
  const batches = Array.from({ length: Math.ceil(count / batchSize) }, (_, batch) => batch * batchSize);
  await mapConcurrent(batches, 4, async (first) => {
    const size = Math.min(batchSize, count - first);
    const puts = Array.from({ length: size }, (_, index) => ({ PutRequest: { Item: rowOf(first + index) } }));
    await clients.dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: puts } }));
  });
  // Reconcile would find nothing to add, after a walk through all of them.
  const checkpoint = createCheckpoint({
    dynamodb: clients.dynamodb,
    tableName: tableNamed('checkpoints'),
    job: fillJob,
    schema: fillProgress,
  });
  const journal = await checkpoint.open();
  await journal.save({ ...journal.progress, walks: 1 });
}
