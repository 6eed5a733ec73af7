import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createApp } from '#infra/create-app.ts';
import { OrderChangesStack } from '#infra/examples/order-changes-stack.ts';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';

let directory: string;
let stacks: HostedStacks;
let eventBridge: EventBridgeClient;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'drawbridge-subscribed-'));
  const assembly = synthesizeWithExample(directory);
  stacks = await startHostedStacks({ assembly });
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

/** Our stacks, with a stack of a partner beside them. */
function synthesizeWithExample(outdir: string): string {
  const root = dirname(dirname(import.meta.dirname));
  const { context } = z
    .object({ context: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')));
  const { app } = createApp({ outdir, context: { ...context, 'aws:cdk:enable-path-metadata': true } });
  new OrderChangesStack(app, 'partner', { drawbridge: 'sandbox' });
  return app.synth().directory;
}

async function publish(detailType: string, detail: object, source = 'drawbridge'): Promise<void> {
  const entry = { Source: source, DetailType: detailType, Detail: JSON.stringify(detail) };
  const Entries = [{ ...entry, EventBusName: 'drawbridge-sandbox' }];
  expect(await eventBridge.send(new PutEventsCommand({ Entries }))).toMatchObject({ FailedEntryCount: 0 });
}

/** Waits for a message of the partner's queue. */
async function takeChange(): Promise<unknown> {
  const QueueUrl = stacks.queueUrl('order-changes');
  const { sqs } = stacks.host.clients;
  const { Messages: [message] = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
  await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle }));
  return JSON.parse(message?.Body ?? '');
}

describe("issue 5: a queue of a partner's own stack, subscribed to the bus of ours", () => {
  it('gets a change that a webhook tells of', async () => {
    const body = JSON.stringify({ orderId: 'order-1', status: 'FILLED' });
    expect((await stacks.deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', body)).status).toBe(200);
    expect(await takeChange()).toMatchObject({
      'detail-type': 'OrderStatusChanged',
      source: 'drawbridge',
      detail: { kind: 'order', id: 'order-1', sequence: 1, status: 'FILLED' },
    });
  });

  it('gets neither other types, nor what does not come from Drawbridge', async () => {
    await publish('NaturalPersonStatusChanged', { id: 'person-1' });
    await publish('OrderStatusChanged', { id: 'order-2' }, 'elsewhere');
    await publish('TransferStatusChanged', { id: 'transfer-1' });
    expect(await takeChange()).toMatchObject({ 'detail-type': 'TransferStatusChanged' });
    expect(await stacks.backlog('order-changes')).toBe(0);
    expect(await stacks.backlog('order-subscription-dlq')).toBe(0);
  });
});
