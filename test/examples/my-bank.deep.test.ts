import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { recorderModule } from '#cli/start/own-bundlings.ts';
import { recordedBundlings, recordingEnvironment } from '#cli/start/recorded-bundlings.ts';
import { watchFunctions } from '#cli/start/watch-functions.ts';
import { repositoryRoot } from '#package/build/read-json.ts';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import { linkIntoConsumer, packedPackage, preparePackage } from '#test/package/packed-package.ts';

let sandbox: Sandbox;
const root = () => join(packedPackage().consumer, 'my-bank');
const bundlingsFile = () => join(root(), 'bundlings.jsonl');
/** What went to the bus: the name of each event, its order and its status. */
const published: string[] = [];
/** The orders that the ledger wrote, each attempt. */
const attempts: (string | undefined)[] = [];

beforeAll(preparePackage);
beforeAll(async () => {
  cpSync(join(repositoryRoot, 'examples/my-bank'), root(), { recursive: true });
  linkIntoConsumer(['@aws-sdk', 'esbuild', '.bin/esbuild']);
  const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
  sandbox = await startSandbox({
    root: root(),
    directory: join(root(), '.sandbox'),
    environment: recordingEnvironment(environment, { recorder: recorderModule, file: bundlingsFile() }),
    redeliveryDelay: 1,
    onAwsCall: watch,
  });
});
afterAll(() => sandbox?.close());

const entries = z.object({ Entries: z.array(z.object({ DetailType: z.string(), Detail: z.string() })) });
const booking = z.object({ Item: z.object({ orderId: z.object({ S: z.string() }) }) });

function watch({ when, operation, caller, input }: AwsCallMoment): void {
  if (when !== 'after') return;
  if (operation === 'PutEvents')
    for (const { DetailType, Detail } of entries.parse(input()).Entries) {
      const { id, status } = JSON.parse(Detail);
      published.push(`${DetailType} ${id} ${status}`);
    }
  if (operation !== 'PutItem' || caller !== 'ledger') return;
  attempts.push(booking.parse(input()).Item.orderId.S);
}

/** Delivers a notification as the platform does. */
async function deliver(orderId: string, status: string, second: number): Promise<void> {
  const { url, headers } = sandbox.endpoints.webhooks;
  const body = JSON.stringify({ orderId, status, modifiedOn: `2026-01-02T03:04:0${second}Z` });
  const answer = await fetch(`${url}/TRADITIONAL_ASSET_ORDER_NOTIFICATION`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
}

/** The bookings of an order, or what another table has of it: the status of each. */
async function bookingsOf(orderId: string, of = 'bookings'): Promise<readonly (string | undefined)[]> {
  const table = sandbox.host.blueprint.tables.find(({ name }) => name === of);
  const { Items = [] } = await sandbox.host.clients.dynamodb.send(new ScanCommand({ TableName: table?.physicalName }));
  return Items.filter((item) => item['orderId']?.S === orderId).map((item) => item['status']?.S);
}

describe('the ledger that init writes, on the laptop with the packed package', () => {
  it('books an order once whose SETTLED is delivered before FILLED, which is published as reported', async () => {
    await deliver('late', 'SETTLED', 5);
    await expect.poll(() => bookingsOf('late')).toEqual(['SETTLED']);
    await deliver('late', 'FILLED', 4);
    await expect.poll(() => attempts.filter((one) => one === 'late')).toHaveLength(2);
    expect(published.filter((one) => one.includes(' late '))).toEqual([
      'OrderStatusChanged late SETTLED',
      'OrderStatusReported late FILLED',
    ]);
    expect(await bookingsOf('late')).toEqual(['SETTLED']);
  });
});

describe('start --watch, with the repository that init writes', () => {
  it('replaces the code of a function when its source changes, keeps the tables, and keeps the code when it does not compile', async () => {
    const printed: string[] = [];
    const watching = await watchFunctions(
      {
        bundlings: recordedBundlings(bundlingsFile()),
        functions: sandbox.host.functions.functions,
        assembly: join(root(), '.sandbox/cdk.out'),
      },
      { elapsed: () => performance.now(), print: (line) => printed.push(line) },
    );
    expect(watching.names).toEqual(['keep-orders', 'ledger']);
    await deliver('before', 'FILLED', 1);
    await expect.poll(() => bookingsOf('before', 'orders')).toEqual(['FILLED']);

    const source = join(root(), 'orders/handler.ts');
    const changed = readFileSync(source, 'utf8').replace('orderId: id, status,', "orderId: id, status: 'CHANGED',");
    writeFileSync(source, changed);
    await expect.poll(() => printed).toEqual([expect.stringMatching(/^keep-orders: the new code is in place after/)]);
    await deliver('after', 'FILLED', 1);
    await expect.poll(() => bookingsOf('after', 'orders')).toEqual(['CHANGED']);
    expect(await bookingsOf('before', 'orders')).toEqual(['FILLED']);

    writeFileSync(source, 'not code');
    await expect.poll(() => printed.at(-1)).toMatch(/^keep-orders: the code stays as it was.*\n.*handler\.ts:1:4/s);
    await deliver('later', 'FILLED', 1);
    await expect.poll(() => bookingsOf('later', 'orders')).toEqual(['CHANGED']);
    watching.close();
  });
});
