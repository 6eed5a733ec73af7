import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { onboardingIdOf } from '@drawbridge-partner/drawbridge/events';
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

/** A row of a table of the bank. */
async function readRow(table: string, key: string) {
  const credentials = { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' };
  const dynamoDb = new DynamoDB({ endpoint: laptop.awsEndpoint, region: 'eu-central-1', credentials });
  return (await dynamoDb.getItem({ TableName: laptop.tables[table], Key: { key: { S: key } } })).Item;
}

async function untilKept(orderId: string, status: string): Promise<void> {
  while ((await readRow('orders', orderId))?.['status']?.S !== status) await wait(200);
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

test('books a filled order, and fetches its trade invoice', { timeout: 120_000 }, async () => {
  const { naturalPersonId, orderId = '' } = await laptop.trigger('order.filled');
  await untilKept(orderId, 'FILLED');
  while ((await readRow('bookings', orderId)) === undefined) await wait(200);
  await laptop.clock.advance(10);
  const { executions } = filled.parse(await laptop.control('GET', `/orders/${orderId}`));
  const [{ executionId }] = executions;
  const invoice = await desk({ action: 'invoice', personId: naturalPersonId, executionId });
  assert.match(JSON.stringify(invoice), /"application\/pdf"/);
});

const born = { birthDay: '1990-05-17', birthPlace: 'Berlin', birthCountry: 'DE' };
const person = { gender: 'MALE', firstName: 'Max', lastName: 'Muster', isUsNationality: false, ...born };

test('has a person onboarded over the bus', { timeout: 120_000 }, async () => {
  await desk({ action: 'onboard', request: { externalId: 'max', person, identification: { mode: 'none' } } });
  while ((await fetch(`${laptop.apiUrl}/onboardings/max`)).status !== 200) await wait(200);
});

test('onboards a person for the website, and notes the end in the CRM', { timeout: 120_000 }, async () => {
  await laptop.control('PATCH', '/settings', { videoCallsAfter: 1 });
  const start = { externalId: 'moritz', person, identification: { mode: 'video' } };
  await laptop.invoke('onboarding-backend', { start });
  while ((await readRow('customers', onboardingIdOf('moritz')))?.['step']?.S !== 'COMPLETED') await wait(500);
  assert.deepEqual(await laptop.invoke('onboarding-backend', { show: 'moritz' }), { step: 'COMPLETED' });
});

for (const name of ['staging', 'production'])
  test(`deploys ${name} in its own VPC and under its own key`, async () => {
    const output = mkdtempSync(join(tmpdir(), 'bank-'));
    const context = { environment: name, 'aws:cdk:bundling-stacks': [] };
    const env = { ...process.env, CDK_OUTDIR: output, CDK_CONTEXT_JSON: JSON.stringify(context) };
    await promisify(execFile)(process.execPath, ['app.ts'], { cwd: import.meta.dirname, env });
    const textOf = (stack: string) => readFileSync(join(output, `drawbridge-${name}-${stack}.template.json`), 'utf8');
    const imported = (id: string) => new RegExp(`bank-${name}-foundation:ExportsOutput(Ref|FnGetAtt)${id}`);
    assert.match(textOf('service'), imported('VpcPrivateSubnet1'));
    assert.match(textOf('data'), imported('Key'));
    rmSync(output, { recursive: true });
  });
