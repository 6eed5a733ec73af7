import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { startLaptop, type TestLaptop } from '@drawbridge-partner/drawbridge/testing';
import * as z from 'zod';

const placed = z.object({ orderId: z.string() });

/** Everything on this machine: the sandbox platform, Drawbridge, and this service. */
let laptop: TestLaptop;
before(async () => {
  laptop = await startLaptop(import.meta.dirname);
});
after(() => laptop?.stop());

/** The status of an order in the table of this service. */
async function keptStatus(orderId: string): Promise<string | undefined> {
  const credentials = { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' };
  const dynamoDb = new DynamoDB({ endpoint: laptop.awsEndpoint, region: 'eu-central-1', credentials });
  const key = { TableName: laptop.tables['orders'], Key: { orderId: { S: orderId } } };
  return (await dynamoDb.getItem(key)).Item?.['status']?.S;
}

async function untilKept(orderId: string, status: string): Promise<void> {
  while ((await keptStatus(orderId)) !== status) await wait(200);
}

test('keeps the latest status of orders, and cancels one on the platform', { timeout: 120_000 }, async () => {
  const { naturalPersonId, orderId: filled = '' } = await laptop.trigger('order.filled');
  await untilKept(filled, 'FILLED');

  const order = { naturalPersonId, isin: 'DE000SBX0018', side: 'BUY', quantity: 10 };
  const { orderId } = placed.parse(await laptop.control('POST', '/orders', order));
  await untilKept(orderId, 'PENDING');
  const event = { action: 'cancel', personId: naturalPersonId, orderId };
  assert.deepEqual(await laptop.invoke('order-desk', event), { accepted: true });
  await untilKept(orderId, 'CANCELED');
});
