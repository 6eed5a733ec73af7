import { dirname } from 'node:path';
import { EventBridgeClient, ListRulesCommand } from '@aws-sdk/client-eventbridge';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { type Listening, listen, readBody } from '#sandbox/net/server.ts';
import { collectPermissions, readOperatorPolicies } from './command-permissions.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';
import { runDrawbridge } from './run-drawbridge.ts';
import { spawnProcess } from './spawn-process.ts';

let sandbox: HostedSandbox;
let service: Listening;
let received: unknown[];
let isEnded = false;
const permissions = collectPermissions();
beforeAll(async () => {
  received = [];
  sandbox = await startHostedSandbox({ onAwsCall: permissions.onAwsCall });
  service = await listen(async (request, response) => {
    received.push(JSON.parse((await readBody(request)).toString()));
    response.writeHead(202).end(`answer ${received.length}`);
  });
}, 180_000);
afterAll(async () => {
  await service.close();
  if (!isEnded) await sandbox.close();
});

/** The rules of commands that watch the bus. */
async function readRules() {
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const endpoint = sandbox.host.place.awsOrigin;
  const eventBridge = new EventBridgeClient({ endpoint, region: 'eu-central-1', credentials });
  const names = { EventBusName: 'drawbridge-laptop', NamePrefix: 'drawbridge-cli' };
  const { Rules = [] } = await eventBridge.send(new ListRulesCommand(names));
  return Rules;
}

/** The queues of commands that watch the bus. */
async function readQueues() {
  const { QueueUrls = [] } = await sandbox.host.clients.sqs.send(new ListQueuesCommand({}));
  return QueueUrls.filter((url) => url.includes('drawbridge-cli'));
}

/** A port at which nothing listens any more. */
async function closedPort() {
  const server = await listen((_, response) => response.end());
  await server.close();
  return new URL(server.origin).port;
}

/** Starts `drawbridge tail` in a process of its own, and waits until its rule is on the bus. */
async function startTail() {
  // A list of one type asks DynamoDB far less than a list of all.
  const types = ['--type', 'TRANSFER_NOTIFICATION', '--type', 'TransferStatusChanged'];
  const options = [...types, '--directory', dirname(sandbox.endpointsFile)];
  const tail = spawnProcess(process.execPath, ['cli/main.ts', 'tail', ...options]);
  await expect.poll(tail.printed, { timeout: 120_000 }).toContain('Waiting');
  expect(await readRules()).toHaveLength(1);
  return tail;
}

const onboarding = z.object({ externalId: z.string(), onboardingId: z.string() });
const line = z.object({ busEventId: z.string(), detailType: z.string(), about: z.string() });

it('forwards chosen bus events with listen, shows each answer, sends one again by its id, and removes the queue', async () => {
  const { promise: forwarded, resolve: onForwarded } = Promise.withResolvers<string>();
  const { promise: listening, resolve: onListening } = Promise.withResolvers<void>();
  let printed = '';
  async function* typed() {
    const { busEventId } = line.parse(JSON.parse(await forwarded));
    yield 'help';
    yield 'resend nothing';
    yield `resend ${busEventId}`;
  }
  const options = ['--forward-to', service.origin, '--events', 'OnboardingCompleted', '--limit', '2', '--json'];
  let notes = '';
  const running = runDrawbridge(sandbox, ['listen', ...options], {
    readLines: typed,
    stdout: (text) => {
      printed += text;
      onForwarded(text);
    },
    stderr: (text) => {
      notes += text;
      onListening();
    },
  });
  await listening;

  sandbox.platform.settings.change({ videoCallsAfter: 0 });
  const onboarded = await runDrawbridge(sandbox, ['persona', 'onboard', 'ordinary', '--json']);
  const { externalId, onboardingId } = onboarding.parse(onboarded.json());
  const watched = await runDrawbridge(sandbox, ['onboardings', 'show', externalId, '--watch', '--json']);
  expect(watched.jsonLines().at(-1)).toMatchObject({ step: 'COMPLETED' });

  expect((await running).exit).toBe(0);
  const lines = printed
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  expect(lines).toEqual([
    expect.objectContaining({
      detailType: 'OnboardingCompleted',
      about: onboardingId,
      status: 202,
      answer: 'answer 1',
    }),
    { ...lines[0], answer: 'answer 2' },
  ]);
  expect(received[0]).toMatchObject({
    id: lines[0].busEventId,
    source: 'drawbridge',
    'detail-type': 'OnboardingCompleted',
    detail: { onboardingId },
  });
  expect(received[1]).toEqual(received[0]);
  expect(notes).toContain('Type resend and the id of an event.');
  expect(notes).toContain('No event of this session is nothing.');

  expect(await readQueues()).toEqual([]);
  expect(await readRules()).toEqual([]);
}, 120_000);

it('says in listen why the service did not answer', async () => {
  const { promise: listening, resolve: onListening } = Promise.withResolvers<void>();
  let printed = '';
  const target = `http://127.0.0.1:${await closedPort()}/`;
  // The onboarding of the test above may still publish events about its person.
  const running = runDrawbridge(
    sandbox,
    ['listen', '--forward-to', target, '--events', 'TransferStatusChanged', '--limit', '1'],
    {
      stdout: (text) => {
        printed += text;
      },
      stderr: () => onListening(),
    },
  );
  await listening;
  await runDrawbridge(sandbox, ['trigger', 'TRANSFER_NOTIFICATION']);
  expect((await running).exit).toBe(0);
  expect(printed).toMatch(/^TransferStatusChanged +[0-9a-f-]{36} {2}→ no answer: ECONNREFUSED {2}[0-9a-f-]{36}\n$/);
}, 60_000);

it('prints each webhook and its bus event with the event id in tail, and removes the queue at the end', async () => {
  const { promise: waiting, resolve: onWaiting } = Promise.withResolvers<void>();
  const [eventType, type] = ['TRADITIONAL_ASSET_ORDER_NOTIFICATION', 'OrderStatusChanged'];
  const options = ['--json', '--type', type, '--type', eventType, '--limit', '8'];
  const deps = { fetch: permissions.fetch, stderr: (text: string) => text.includes('Waiting') && onWaiting() };
  const tailing = runDrawbridge(sandbox, ['tail', ...options], deps);
  await waiting;
  const orderIds = [1, 2, 3, 4].map((number) => `0190a6f0-5678-7abc-8def-0123456789a${number}`);
  for (const orderId of orderIds) {
    const body = JSON.stringify({ orderId, status: 'PENDING' });
    await sandbox.platform.deliveries.deliver(eventType, Buffer.from(body));
  }
  const { exit, jsonLines } = await tailing;
  expect(exit).toBe(0);
  const lines = jsonLines() as readonly { source: string; eventId: string; type: string }[];
  const pairs = [...Map.groupBy(lines, ({ eventId }) => eventId)];
  expect(pairs).toHaveLength(orderIds.length);
  for (const [eventId, pair] of pairs) {
    expect(pair).toMatchObject([
      { source: 'webhook', type: eventType },
      { source: 'bus', type },
    ]);
    const event = await fetch(`${sandbox.endpoints.api}/events/${eventId}`);
    expect(await event.json()).toMatchObject({ eventType });
  }
  expect(await readQueues()).toEqual([]);
  expect(await runDrawbridge(sandbox, ['tail', '--body'])).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('--reveal'),
  });
}, 60_000);

it('ends tail without a stack where its reader has gone, and removes the rule and the queue', async () => {
  const { process: tail, exit, printed } = await startTail();
  tail.stdout.destroy();
  await runDrawbridge(sandbox, ['trigger', 'TRANSFER_NOTIFICATION']);
  expect(await exit).toEqual({ code: 0, signal: null });
  expect(printed()).toBe('Waiting for webhooks and bus events. To end, press Ctrl-C.\n');
  expect(await readRules()).toEqual([]);
}, 240_000);

it('removes the rule and the queue of tail where its terminal closes', async () => {
  const { process: tail, exit } = await startTail();
  tail.kill('SIGHUP');
  expect(await exit).toEqual({ code: 0, signal: null });
  expect(await readRules()).toEqual([]);
  expect(await readQueues()).toEqual([]);
}, 240_000);

it('refuses a URL for listen that is none', async () => {
  const { exit, stderr } = await runDrawbridge(sandbox, ['listen', '--forward-to', 'localhost:3000']);
  expect([exit, stderr]).toEqual([2, expect.stringContaining('http://localhost:3000/events')]);
});

it('needs only what the policies of an operator allow, for listen and tail', async () => {
  expect(permissions.deniedBy(await readOperatorPolicies(sandbox))).toEqual([]);
});

it('says in listen and tail that npm start has ended, and names the next command', async () => {
  const { promise: listening, resolve: onListening } = Promise.withResolvers<void>();
  let notes = '';
  const deps = {
    stderr: (text: string) => {
      notes += text;
      if (notes.includes('Forwarding') && notes.includes('Waiting')) onListening();
    },
  };
  const running = [
    ['listen', '--forward-to', service.origin, '--events', 'OrderStatusChangd'],
    ['tail', '--type', 'TRANSFER_NOTIFICATION'],
  ].map((line) => runDrawbridge(sandbox, line, deps));
  await listening;
  isEnded = true;
  await sandbox.close();
  for (const { exit } of await Promise.all(running)) expect(exit).toBe(2);
  expect(notes.match(/Drawbridge does not run on this machine any more\.\nNext: npm start\n/g)).toHaveLength(2);
  expect(notes).not.toContain('ECONNREFUSED');
  expect(notes).toContain('Did you mean OrderStatusChanged?');
}, 120_000);
