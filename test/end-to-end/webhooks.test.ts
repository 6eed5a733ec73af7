import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { OrderChangesStack } from '#infra/examples/order-changes-stack.ts';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import type { SynthesizeProps } from '#sandbox/aws/stacks/synthesize.ts';
import { readAllEvents } from '#sandbox/scenario/common/event-store.ts';
import { refreshToken, runSchedule } from '#sandbox/scenario/common/schedules.ts';
import { readWebhookHeaders, webhooksUrlOf } from '#sandbox/webhook-headers.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { copyAssembly } from './copy-assembly.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';
import { quarantineEvent } from './quarantine-event.ts';
import { readBacklog, readSecret } from './read-host.ts';

const orders = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
const transfers = 'TRANSFER_NOTIFICATION';
const customers = 'CUSTOMER_NOTIFICATION';
/** Is in bodies, and must be in no log line. */
const canary = 'Kanarienvogel';
/** The requests that the webhooks route accepts in all of this file: more than the tests before the last one need. */
const burst = 80;

let sandbox: HostedSandbox;
/** What a test does to the AWS calls of the functions. */
let onAwsCall: (moment: AwsCallMoment) => void = () => undefined;

beforeAll(async () => {
  sandbox = await startHostedSandbox({
    writeAssembly: writeSubscribedAssembly,
    onAwsCall: (moment) => onAwsCall(moment),
  });
}, 120_000);
afterAll(() => sandbox?.close());

const manifest = z.looseObject({ artifacts: z.record(z.string(), z.unknown()) });

/**
 * Copies the stacks, lowers the throttle of the webhooks route, and adds the stack of a partner, which subscribes to order
 * changes, to the same assembly.
 */
async function writeSubscribedAssembly(props: SynthesizeProps): Promise<void> {
  const { outputDirectory } = props;
  await copyAssembly(inject('assembly'), props);
  for (const file of globSync(join(outputDirectory, '*.template.json'))) {
    const template = readFileSync(file, 'utf8')
      .replace('"ThrottlingBurstLimit":4000', `"ThrottlingBurstLimit":${burst}`)
      .replace('"ThrottlingRateLimit":2000', '"ThrottlingRateLimit":0.001');
    writeFileSync(file, template);
  }
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

/** Counts the answers by status. */
async function countStatuses(requests: readonly Promise<Response>[]): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const { status } of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The log lines of Receive, from a position in the log, without those of its memory: a process writes a few of these. */
const linesOfReceive = (from: number) =>
  sandbox
    .log()
    .slice(from)
    .split('\n')
    .filter((line) => line.startsWith('receive ') && !line.includes('"MemoryUsed"'));

const queueUrl = (queue: string) => sandbox.endpoints.queues[queue] ?? '';

const backlog = (queue: string) => readBacklog(sandbox.host, queue);

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
    const QueueUrl = queueUrl('order-changes');
    const { sqs } = sandbox.host.clients;
    const { Messages: [change] = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
    expect(JSON.parse(change?.Body ?? '')).toMatchObject({
      'detail-type': 'OrderStatusChanged',
      source: 'drawbridge',
      detail: { kind: 'order', id: 'order-1', sequence: expect.any(Number), status: 'FILLED' },
    });
  });

  it('is counted and replayed on request in quarantine, and released once the profile knows its type', async () => {
    const replayed = z.looseObject({ count: z.number().optional(), replay: z.looseObject({}).optional() });
    const replay = async (request: object) => {
      const result = await sandbox.host.functions.find('replay')?.invoke(JSON.stringify(request));
      if (result === undefined || result.error !== undefined) throw new Error(JSON.stringify(result));
      return replayed.parse(JSON.parse(result.payload));
    };
    const [unknown, known] = [`{"unknown":"${canary}"}`, `{"known":"${canary}"}`];
    expect((await deliver('NEW_NOTIFICATION', unknown)).status).toBe(200);
    expect((await deliver('PARTNER_NOTIFICATION', known)).status).toBe(200);
    await expect.poll(() => storedWith(unknown)).toMatchObject({ quarantineReason: 'UNKNOWN_EVENT_TYPE' });
    await expect.poll(() => storedWith(known)).toBeDefined();
    await quarantineEvent(sandbox.host, (await storedWith(known))?.eventId ?? '');

    const counted = await replay({ reason: 'UNKNOWN_EVENT_TYPE' });
    expect(counted).toMatchObject({ count: 2 });
    expect(await replay(counted.replay ?? {})).toEqual({ replayed: 2 });
    const receivedTo = sandbox.platform.clock.now().toISOString();
    const count = (await readAllEvents(sandbox.host)).length;
    expect(await replay({ events: 'all', receivedTo })).toMatchObject({ count });
    await expect.poll(() => storedWith(known)).toMatchObject({ quarantineReason: undefined });
    await expect.poll(() => backlog('webhooks')).toBe(0);
    expect(await storedWith(unknown)).toMatchObject({ quarantineReason: 'UNKNOWN_EVENT_TYPE' });
  });

  it('is in the log with no part of its body', () => {
    expect(sandbox.log()).toContain('events replayed');
    expect(sandbox.log()).not.toContain(canary);
  });
});

describe('a rotation of the header secret', () => {
  /** In milliseconds. The overlap of a rotation is shorter. */
  const afterOverlap = 4 * 24 * 60 * 60_000;
  /** In seconds: longer than register waits after a new secret, until every instance of receive accepts it. */
  const settled = 15;
  /** In seconds: how long an instance of receive uses the secret that it has read. */
  const secretAge = 5 * 60;
  const other = 'f'.repeat(64);
  /** The secrets that the platform has sent. */
  const used: string[] = [];
  const delivered = { outcome: 'delivered', status: 200 };

  const webhookSecret = z.object({
    current: z.string(),
    previous: z.string().optional(),
    registeredOn: z.string().optional(),
  });

  const secretId = () => sandbox.host.blueprint.secrets.find(({ name }) => name === 'webhook-secret')?.arn;

  const storedSecret = async () => webhookSecret.parse(JSON.parse(await readSecret(sandbox.host, 'webhook-secret')));

  /** The header secrets of all registrations on the platform. */
  const secretsRegistered = () =>
    new Set(sandbox.platform.registrations.list().flatMap(({ headers = [] }) => headers.map(({ value }) => value)));

  const deliverByPlatform = () => sandbox.platform.deliveries.deliver(transfers, Buffer.from('{"transferId":"t"}'));

  const statusWith = async (secret: string) =>
    (await deliver(transfers, '{}', { 'x-drawbridge-secret': secret })).status;

  it('accepts both secrets and no other, continues after register was killed, and ends the previous secret after the overlap', async () => {
    const { host, platform } = sandbox;
    const { current: former } = await storedSecret();
    used.push(former);
    expect(secretsRegistered()).toEqual(new Set([former]));
    expect(await deliverByPlatform()).toEqual(delivered);

    const register = host.functions.find('register');
    onAwsCall = ({ when, caller, operation }) => {
      if (when === 'after' && caller === 'register' && operation === 'PutSecretValue') register?.kill();
    };
    expect(await register?.invoke('{"mode":"rotate"}')).toHaveProperty('error');
    onAwsCall = () => undefined;
    const { current, previous } = await storedSecret();
    expect([previous, current === former]).toEqual([former, false]);
    expect(secretsRegistered()).toEqual(new Set([former]));
    expect(await deliverByPlatform()).toEqual(delivered);

    await platform.clock.advance(settled);
    await runSchedule(host, 'register-runs');
    expect(secretsRegistered()).toEqual(new Set([current]));
    expect(await deliverByPlatform()).toEqual(delivered);
    // As an attempt that the platform repeats with the headers of its first attempt.
    expect([await statusWith(former), await statusWith(other)]).toEqual([200, 401]);
    await expect.poll(() => sandbox.log()).toContain('"PreviousSecretDeliveries":1');
    const { registeredOn } = await storedSecret();
    expect(registeredOn).toBeDefined();

    const SecretString = JSON.stringify({
      current,
      previous,
      registeredOn: new Date(platform.clock.now().getTime() - afterOverlap),
    });
    await host.clients.secretsManager.send(new PutSecretValueCommand({ SecretId: secretId(), SecretString }));
    await platform.clock.advance(settled);
    await refreshToken(host);
    await runSchedule(host, 'register-runs');
    expect(await storedSecret()).toEqual({ current });
    await platform.clock.advance(secretAge);
    expect([await deliverByPlatform(), await statusWith(former)]).toEqual([delivered, 401]);
  });

  it('logs no header secret', async () => {
    const log = sandbox.log();
    expect(log).toContain('webhook registration changed');
    used.push((await storedSecret()).current);
    expect(used.filter((secret) => log.includes(secret))).toEqual([]);
    expect(new Set(used).size).toBe(2);
  });
});

describe('a flood of requests without the secret from senders who know the webhooks URL', () => {
  it('writes fewer log lines than it refuses requests and stores nothing, and the throttle answers later deliveries with 429', async () => {
    await expect.poll(() => backlog('webhooks')).toBe(0);
    const stored = await readAllEvents(sandbox.host);
    const begin = sandbox.log().length;
    const flood = Array.from({ length: burst }, () => deliver(customers, '{}', { 'x-drawbridge-secret': '' }));
    const { 401: refused = 0, 429: throttled = 0 } = await countStatuses(flood);
    expect(refused).toBeGreaterThan(0);
    expect(refused + throttled).toBe(burst);
    expect(await countStatuses([1, 2, 3].map((number) => deliver(customers, `{"late":${number}}`)))).toEqual({
      429: 3,
    });
    await expect.poll(() => linesOfReceive(begin).length).toBeGreaterThan(0);
    // A process writes one line for each reason and one of metrics, and after ten seconds the next ones.
    expect(linesOfReceive(begin).length).toBeLessThan(refused);
    expect(await backlog('webhooks')).toBe(0);
    expect(await readAllEvents(sandbox.host)).toHaveLength(stored.length);
  });
});
