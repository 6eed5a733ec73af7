import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { OrderChangesStack } from '#infra/examples/order-changes-stack.ts';
import type { SynthesizeProps } from '#sandbox/aws/stacks/synthesize.ts';
import { readAllEvents } from '#sandbox/scenario/common/event-store.ts';
import { readWebhookHeaders, webhooksUrlOf } from '#sandbox/webhook-headers.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { quarantineEvent } from './change-host.ts';
import { copyAssembly } from './copy-assembly.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';
import { readBacklog } from './read-host.ts';

const orders = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
/** Is in bodies, and must be in no log line. */
const canary = 'Kanarienvogel';

let sandbox: HostedSandbox;
beforeAll(async () => {
  sandbox = await startHostedSandbox({ writeAssembly: writeSubscribedAssembly });
}, 120_000);
afterAll(() => sandbox?.close());

const manifest = z.looseObject({ artifacts: z.record(z.string(), z.unknown()) });

/** Copies the stacks, and adds the stack of a partner, which subscribes to order changes, to the same assembly. */
async function writeSubscribedAssembly(props: SynthesizeProps): Promise<void> {
  const { outputDirectory } = props;
  await copyAssembly(inject('assembly'), props);
  const manifestFile = join(outputDirectory, 'manifest.json');
  const own = manifest.parse(JSON.parse(readFileSync(manifestFile, 'utf8')));
  const app = new App({ outdir: outputDirectory, context: { 'aws:cdk:enable-path-metadata': true } });
  new OrderChangesStack(app, 'partner', { drawbridge: 'laptop' });
  app.synth();
  const partner = manifest.parse(JSON.parse(readFileSync(manifestFile, 'utf8')));
  const artifacts = { ...own.artifacts, ...partner.artifacts };
  writeFileSync(manifestFile, JSON.stringify({ ...own, artifacts }));
}

/** Delivers a body with the registered header. The given headers replace it. */
async function deliver(eventType: string, body: string | Uint8Array, headers: Record<string, string> = {}) {
  return fetch(`${webhooksUrlOf(sandbox.host)}/${eventType}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(await readWebhookHeaders(sandbox.host)), ...headers },
    body: Buffer.from(body),
  });
}

/** Finds the event that was stored with exactly these bytes. */
async function storedWith(body: string | Uint8Array) {
  const wanted = Buffer.from(body);
  return (await readAllEvents(sandbox.host)).find((row) => wanted.equals(inflateBody(row.deflatedBody)));
}

describe('a webhook', () => {
  it('is answered with 200 and no body, is stored byte for byte, and a subscriber gets the change', async () => {
    const body = `{ "orderId": "order-1",\n  "status":"FILLED", "note": "${canary}" }`;
    const answer = await deliver(orders, body);
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    await expect
      .poll(() => storedWith(body))
      .toMatchObject({ eventType: orders, deliveries: 1, quarantineReason: undefined });
    const QueueUrl = sandbox.endpoints.queues['order-changes'];
    const { sqs } = sandbox.host.clients;
    const { Messages: [change] = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
    expect(JSON.parse(change?.Body ?? '')).toMatchObject({
      'detail-type': 'OrderStatusChanged',
      source: 'drawbridge',
      detail: { kind: 'order', id: 'order-1', sequence: expect.any(Number), status: 'FILLED' },
    });
  });

  it('is refused with 401 and not stored when it has no header secret', async () => {
    const body = `{"refused":"${canary}"}`;
    expect((await deliver(orders, body, { 'x-drawbridge-secret': '' })).status).toBe(401);
    await expect.poll(() => readBacklog(sandbox.host, 'webhooks')).toBe(0);
    expect(await storedWith(body)).toBeUndefined();
  });

  it('is released from quarantine by a replay of all events, once the profile knows its type', async () => {
    const replayed = z.looseObject({ count: z.number().optional(), replay: z.looseObject({}).optional() });
    const replay = async (request: object) => {
      const result = await sandbox.host.functions.find('replay')?.invoke(JSON.stringify(request));
      if (result === undefined || result.error !== undefined) throw new Error(JSON.stringify(result));
      return replayed.parse(JSON.parse(result.payload));
    };
    const body = `{"known":"${canary}"}`;
    expect((await deliver('PARTNER_NOTIFICATION', body)).status).toBe(200);
    await expect.poll(() => storedWith(body)).toBeDefined();
    await quarantineEvent(sandbox.host, (await storedWith(body))?.eventId ?? '');

    const receivedTo = sandbox.platform.clock.now().toISOString();
    const { length: count } = await readAllEvents(sandbox.host);
    const counted = await replay({ events: 'all', receivedTo });
    expect(counted).toMatchObject({ count });
    expect(await replay(counted.replay ?? {})).toEqual({ replayed: count });
    await expect.poll(() => storedWith(body)).toMatchObject({ quarantineReason: undefined });
  });

  it('is in the log with no part of its body', () => {
    expect(sandbox.log()).toContain('events replayed');
    expect(sandbox.log()).not.toContain(canary);
  });
});
