import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { OrderChangesStack } from '#infra/examples/order-changes-stack.ts';
import { copyAssembly } from './copy-assembly.ts';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';

const manifest = z.looseObject({ artifacts: z.record(z.string(), z.unknown()) });

let directory: string;
let stacks: HostedStacks;
let eventBridge: EventBridgeClient;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'drawbridge-subscribed-'));
  await createAssembly(directory);
  stacks = await startHostedStacks({ assembly: directory });
  const { awsOrigin: endpoint, region } = stacks.host.place;
  eventBridge = new EventBridgeClient({
    endpoint,
    region,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
});
afterAll(async () => {
  eventBridge?.destroy();
  await stacks?.host.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Copies the stacks, and synthesizes a stack of a partner into the same assembly. */
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

describe("a queue of a partner's stack that subscribes to order changes", () => {
  it('receives the change that a webhook reports', async () => {
    const body = JSON.stringify({ orderId: 'order-1', status: 'FILLED' });
    expect((await stacks.deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', body)).status).toBe(200);
    expect(await takeChange()).toMatchObject({
      'detail-type': 'OrderStatusChanged',
      source: 'drawbridge',
      detail: { kind: 'order', id: 'order-1', sequence: 1, status: 'FILLED' },
    });
  });

  it('receives the event id that the log joins to the request id of the delivery', async () => {
    const body = JSON.stringify({ orderId: 'order-3', status: 'FILLED' });
    const { headers } = await stacks.deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', body);
    const { detail } = z.object({ detail: z.object({ eventId: z.string() }) }).parse(await takeChange());
    const linesWith = (id: string) =>
      stacks.log.filter((line) => line.startsWith('store ') && line.includes(`"${id}"`));
    await expect.poll(() => linesWith(detail.eventId)).toHaveLength(1);
    const [line = ''] = linesWith(detail.eventId);
    expect(JSON.parse(line.slice('store '.length))).toMatchObject({
      message: 'event applied',
      eventId: detail.eventId,
      deliveryId: headers.get('apigw-requestid'),
      outcome: 'stored',
    });
  });

  it('receives no event of another type or from another source', async () => {
    await publish('NaturalPersonStatusChanged', { id: 'person-1' });
    await publish('OrderStatusChanged', { id: 'order-2' }, 'elsewhere');
    await publish('TransferStatusChanged', { id: 'transfer-1' });
    expect(await takeChange()).toMatchObject({ 'detail-type': 'TransferStatusChanged' });
    expect(await stacks.backlog('order-changes')).toBe(0);
    expect(await stacks.backlog('order-subscription-dlq')).toBe(0);
  });
});
