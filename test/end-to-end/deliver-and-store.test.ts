import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { OrderChangesStack } from '#infra/examples/order-changes-stack.ts';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { copyAssembly } from './copy-assembly.ts';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';
import { quarantineEvent } from './quarantine-event.ts';

const orders = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
const transfers = 'TRANSFER_NOTIFICATION';
/** Is in bodies, and must be in no log line. */
const canary = 'Kanarienvogel';
const manifest = z.looseObject({ artifacts: z.record(z.string(), z.unknown()) });

let directory: string;
let stacks: HostedStacks;
let eventBridge: EventBridgeClient;
/** What a test does to the AWS calls of the functions. */
let onAwsCall: ((moment: AwsCallMoment) => void) | undefined;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'drawbridge-subscribed-'));
  await createAssembly(directory);
  stacks = await startHostedStacks({ assembly: directory, onAwsCall: (moment) => onAwsCall?.(moment) });
  const { awsOrigin: endpoint, region } = stacks.host.place;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  eventBridge = new EventBridgeClient({ endpoint, region, credentials });
});
afterAll(async () => {
  eventBridge?.destroy();
  await stacks?.host.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Copies the stacks, and synthesizes a stack of a partner, which subscribes to order changes, into the same assembly. */
async function createAssembly(outputDirectory: string): Promise<void> {
  await copyAssembly({ outputDirectory });
  const manifestFile = join(outputDirectory, 'manifest.json');
  const own = manifest.parse(JSON.parse(readFileSync(manifestFile, 'utf8')));
  const app = new App({ outdir: outputDirectory, context: { 'aws:cdk:enable-path-metadata': true } });
  new OrderChangesStack(app, 'partner', { drawbridge: 'laptop' });
  app.synth();
  const partner = manifest.parse(JSON.parse(readFileSync(manifestFile, 'utf8')));
  const artifacts = { ...own.artifacts, ...partner.artifacts };
  writeFileSync(manifestFile, JSON.stringify({ ...own, artifacts }));
}

/** Finds the event that was stored with exactly these bytes. */
async function storedWith(body: string | Uint8Array) {
  const wanted = Buffer.from(body);
  return (await stacks.events()).find((row) => wanted.equals(inflateBody(row.deflatedBody)));
}

async function publish(detailType: string, detail: object, source = 'drawbridge'): Promise<void> {
  const entry = { Source: source, DetailType: detailType, Detail: JSON.stringify(detail) };
  const Entries = [{ ...entry, EventBusName: 'drawbridge-laptop' }];
  expect(await eventBridge.send(new PutEventsCommand({ Entries }))).toMatchObject({ FailedEntryCount: 0 });
}

/** Waits for a message in the partner's queue, and deletes it. */
async function takeChange(): Promise<unknown> {
  const QueueUrl = stacks.queueUrl('order-changes');
  const { sqs } = stacks.host.clients;
  const { Messages: [message] = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
  await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle }));
  return JSON.parse(message?.Body ?? '');
}

it('answers a webhook with 200 and no body, stores it byte for byte, and a subscriber gets the change', async () => {
  const body = `{ "orderId": "order-1",\n  "status":"FILLED", "note": "${canary}" }`;
  const answer = await stacks.deliver(orders, body);
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  await expect
    .poll(() => storedWith(body))
    .toMatchObject({ eventType: orders, deliveries: 1, quarantineReason: undefined });
  expect(await takeChange()).toMatchObject({
    'detail-type': 'OrderStatusChanged',
    source: 'drawbridge',
    detail: { kind: 'order', id: 'order-1', sequence: 1, status: 'FILLED' },
  });
});

it('stores a webhook byte for byte when API Gateway passes its body on in base64', async () => {
  const body = Buffer.from([0x7b, 0x7d, 0x0a, 0x20]);
  const headers = { 'content-type': 'application/octet-stream' };
  expect((await stacks.deliver('CUSTOMER_NOTIFICATION', body, headers)).status).toBe(200);
  await expect.poll(() => storedWith(body)).toMatchObject({ quarantineReason: undefined });
});

it('answers a webhook with 503 and keeps nothing when SQS fails, so that the platform keeps the webhook', async () => {
  const body = '{"transferId":"not-durable"}';
  onAwsCall = ({ when, operation, caller }) => {
    if (when === 'before' && operation === 'SendMessage' && caller === 'receive') throw new Error('SQS is down.');
  };
  expect((await stacks.deliver(transfers, body)).status).toBe(503);
  onAwsCall = undefined;
  await expect.poll(() => stacks.backlog('webhooks')).toBe(0);
  expect(await storedWith(body)).toBeUndefined();
});

it('sends a subscriber to order changes no event of another type or from another source', async () => {
  await publish('NaturalPersonStatusChanged', { id: 'person-1' });
  await publish('OrderStatusChanged', { id: 'order-2' }, 'elsewhere');
  await publish('TransferStatusChanged', { id: 'transfer-1' });
  expect(await takeChange()).toMatchObject({ 'detail-type': 'TransferStatusChanged' });
  expect(await stacks.backlog('order-changes')).toBe(0);
  expect(await stacks.backlog('order-subscription-dlq')).toBe(0);
});

describe('replay', () => {
  const replayed = z.looseObject({ count: z.number().optional(), replay: z.looseObject({}).optional() });

  async function replay(request: object) {
    const result = await stacks.host.functions.find('replay')?.invoke(JSON.stringify(request));
    if (result === undefined || result.error !== undefined) throw new Error(JSON.stringify(result));
    return replayed.parse(JSON.parse(result.payload));
  }

  it('counts and replays an event in quarantine on request, and releases it once the profile knows its type', async () => {
    const [unknown, known] = [`{"unknown":"${canary}"}`, `{"known":"${canary}"}`];
    expect((await stacks.deliver('NEW_NOTIFICATION', unknown)).status).toBe(200);
    expect((await stacks.deliver('PARTNER_NOTIFICATION', known)).status).toBe(200);
    await expect.poll(() => storedWith(unknown)).toMatchObject({ quarantineReason: 'UNKNOWN_EVENT_TYPE' });
    await expect.poll(() => storedWith(known)).toBeDefined();
    await quarantineEvent(stacks.host, (await storedWith(known))?.eventId ?? '');

    const counted = await replay({ reason: 'UNKNOWN_EVENT_TYPE' });
    expect(counted).toMatchObject({ count: 2 });
    expect(await replay(counted.replay ?? {})).toEqual({ replayed: 2 });
    await expect.poll(() => storedWith(known)).toMatchObject({ quarantineReason: undefined });
    await expect.poll(() => stacks.backlog('webhooks')).toBe(0);
    expect(await storedWith(unknown)).toMatchObject({ quarantineReason: 'UNKNOWN_EVENT_TYPE' });
  });
});

it('moves a message that store cannot process to the dead-letter queue, and stores the webhooks of the same batches', async () => {
  const poison = `no delivery of ${canary}`;
  const { sqs } = stacks.host.clients;
  await sqs.send(new SendMessageCommand({ QueueUrl: stacks.queueUrl('webhooks'), MessageBody: poison }));
  const bodies = Array.from({ length: 20 }, (_, number) => `{"transferId":"beside-poison-${number}"}`);
  await Promise.all(bodies.map((body) => stacks.deliver(transfers, body)));
  await expect.poll(() => stacks.backlog('webhooks-dlq')).toBe(1);
  await expect.poll(() => stacks.backlog('webhooks')).toBe(0);
  for (const body of bodies) expect(await storedWith(body), body).toMatchObject({ deliveries: 1 });
  const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: stacks.queueUrl('webhooks-dlq') }));
  expect(Messages?.map(({ Body }) => Body)).toEqual([poison]);
});

it('logs no part of a body', () => {
  const log = stacks.log.join('\n');
  expect(log).toContain('events replayed');
  expect(log).not.toContain(canary);
});
