import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { startLaptop, type TestLaptop } from '@drawbridge-partner/drawbridge/testing';
import * as z from 'zod';

const placed = z.object({ orderId: z.string() });
const filled = z.object({ executions: z.tuple([z.object({ executionId: z.string() })]) });

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

const desk = (event: object) => laptop.invoke('order-desk', event);

test('keeps the latest status of orders, and cancels one on the platform', { timeout: 120_000 }, async () => {
  const { naturalPersonId } = await laptop.trigger('person.onboarded');
  const order = { naturalPersonId, isin: 'DE000SBX0018', side: 'BUY', quantity: 10 };
  const { orderId } = placed.parse(await laptop.control('POST', '/orders', order));
  await untilKept(orderId, 'PENDING');
  assert.deepEqual(await desk({ action: 'cancel', personId: naturalPersonId, orderId }), { accepted: true });
  await untilKept(orderId, 'CANCELED');
});

test('fetches the trade invoice of a filled order', { timeout: 120_000 }, async () => {
  const { naturalPersonId, orderId = '' } = await laptop.trigger('order.filled');
  await untilKept(orderId, 'FILLED');
  await laptop.clock.advance(10);
  const { executions } = filled.parse(await laptop.control('GET', `/orders/${orderId}`));
  const [{ executionId }] = executions;
  const invoice = await desk({ action: 'invoice', personId: naturalPersonId, executionId });
  assert.match(JSON.stringify(invoice), /"application\/pdf"/);
});

test('has a person onboarded over the bus', { timeout: 120_000 }, async () => {
  const born = { birthDay: '1990-05-17', birthPlace: 'Berlin', birthCountry: 'DE' };
  const person = { gender: 'MALE', firstName: 'Max', lastName: 'Muster', isUsNationality: false, ...born };
  await desk({ action: 'onboard', request: { externalId: 'max', person, identification: { mode: 'none' } } });
  while ((await fetch(`${laptop.apiUrl}/onboardings/max`)).status !== 200) await wait(200);
});
