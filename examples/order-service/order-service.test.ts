import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';

const endpointsFile = '.sandbox/endpoints.json';
const endpoints = z.object({
  control: z.string(),
  aws: z.object({ dynamodb: z.string() }),
  tables: z.record(z.string(), z.string()),
});
const triggered = z.object({ ids: z.object({ naturalPersonId: z.string(), orderId: z.string() }) });

const placed = z.object({ orderId: z.string() });

/** Everything on this machine: the sandbox platform, Drawbridge, and this service. */
const laptop = spawn('npx', ['--no', '--', 'drawbridge', 'start', '--webhooks', '1'], {
  stdio: 'ignore',
  detached: true,
});

before(async () => {
  rmSync(endpointsFile, { force: true });
  while (!existsSync(endpointsFile)) {
    assert.equal(laptop.exitCode, null, 'The laptop ended: npm start says why.');
    await wait(500);
  }
});
after(async () => {
  if (laptop.pid !== undefined) process.kill(-laptop.pid, 'SIGINT');
  await once(laptop, 'close');
});

async function post(path: string, body: object): Promise<unknown> {
  const { control } = endpoints.parse(JSON.parse(readFileSync(endpointsFile, 'utf8')));
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${control}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

/** The status of an order in the table of this service. */
async function keptStatus(orderId: string): Promise<string | undefined> {
  const { aws, tables } = endpoints.parse(JSON.parse(readFileSync(endpointsFile, 'utf8')));
  const credentials = { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' };
  const dynamoDb = new DynamoDB({ endpoint: aws.dynamodb, region: 'eu-central-1', credentials });
  const { Item } = await dynamoDb.getItem({ TableName: tables['orders'], Key: { orderId: { S: orderId } } });
  return Item?.['status']?.S;
}

async function untilKept(orderId: string, status: string): Promise<void> {
  while ((await keptStatus(orderId)) !== status) await wait(200);
}

test('keeps the latest status of orders, and cancels one on the platform', { timeout: 120_000 }, async () => {
  const { ids } = triggered.parse(await post('/triggers', { type: 'order.filled', set: {} }));
  await untilKept(ids.orderId, 'FILLED');

  const { naturalPersonId } = ids;
  const order = { naturalPersonId, isin: 'DE000SBX0018', side: 'BUY', quantity: 10 };
  const { orderId } = placed.parse(await post('/orders', order));
  await untilKept(orderId, 'PENDING');
  const event = { action: 'cancel', personId: naturalPersonId, orderId };
  assert.deepEqual(await post('/functions/order-desk/invocations', event), { accepted: true });
  await untilKept(orderId, 'CANCELED');
});
