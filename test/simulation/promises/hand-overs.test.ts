import { BatchGetItemCommand, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { writeEventMessage } from '#shared/events/webhook-delivery.ts';
import type { Item } from '#test/simulation/aws/attribute-value.ts';
import { createHandOverWatch } from './hand-overs.ts';

const eventId = 'e1';
const first = '2026-01-02T03:04:05Z#undelivered:1';
const second = '2026-01-02T03:04:06Z#undelivered:2';

/** An event whose first delivery was handed over. */
const event: Item = {
  eventId: { S: eventId },
  eventType: { S: 'TRANSFER_NOTIFICATION' },
  receivedOn: { S: '2026-01-02T03:04:05Z' },
  deflatedBody: { B: new Uint8Array() },
  deliveries: { N: '1' },
  deliveryIds: { SS: [first] },
  handedOver: { SS: [first] },
  expiresAt: { N: '2000000000' },
};

const Key = { eventId: { S: eventId } };
const read = () => new GetItemCommand({ TableName: 'events', Key });
const readAll = () => new BatchGetItemCommand({ RequestItems: { events: { Keys: [Key] } } });
const count = (delivery: string) =>
  new UpdateItemCommand({ TableName: 'events', Key, ExpressionAttributeValues: { ':id': { S: delivery } } });
const handOver = () =>
  new SendMessageBatchCommand({
    QueueUrl: 'webhooks',
    Entries: [{ Id: '0', MessageBody: writeEventMessage(eventId) }],
  });
const note = (delivery: string) =>
  new UpdateItemCommand({
    TableName: 'events',
    Key,
    UpdateExpression: 'ADD handedOver :ids',
    ExpressionAttributeValues: { ':ids': { SS: [delivery] } },
  });

const again = { promise: 2, what: 'The event e1 is handed over again.' };

/** The result of the watch for the last command of one process. */
function lastOf(...commands: Parameters<ReturnType<typeof createHandOverWatch>['watch']>[1][]) {
  const { watch } = createHandOverWatch(() => event);
  const drain = {};
  return commands.map((command) => watch(drain, command)).at(-1);
}

describe('the watch over hand-overs', () => {
  it('refuses an event of which every delivery was handed over', () => {
    expect(lastOf(read(), handOver())).toEqual(again);
  });

  it('refuses an event that is read with others', () => {
    expect(lastOf(readAll(), handOver())).toEqual(again);
  });

  it('allows an event of which a page counts a delivery while another page notes its own', () => {
    expect(lastOf(count(second), handOver(), note(first), read(), handOver())).toBeUndefined();
  });

  it('refuses an event of which no new delivery is counted', () => {
    expect(lastOf(count(first), read(), handOver())).toEqual(again);
  });

  it('allows an event of which a new delivery is being counted as the event is read for another one', () => {
    expect(lastOf(count(second), read(), handOver())).toBeUndefined();
  });

  it('allows an event of which one delivery was read before another process noted the hand-over', () => {
    const { handedOver, ...pending } = event;
    let stored: Item = pending;
    const { watch } = createHandOverWatch(() => stored);
    const drain = {};
    watch(drain, read());
    stored = event;
    watch(drain, read());
    expect(watch(drain, handOver())).toBeUndefined();
  });

  it('allows one hand-over for a new delivery, and no second', () => {
    expect(lastOf(count(second), read(), handOver(), note(second), read(), handOver())).toEqual(again);
  });

  it('allows a second message for a new delivery before the note, as for one that SQS refused', () => {
    expect(lastOf(count(second), read(), handOver(), handOver(), note(second))).toBeUndefined();
  });

  it('knows of each process what the process has read', () => {
    const { watch } = createHandOverWatch(() => event);
    watch({}, read());
    expect(watch({}, handOver())).toBeUndefined();
  });
});
