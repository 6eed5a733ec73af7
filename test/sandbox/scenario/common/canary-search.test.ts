import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { readBlueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { readCloudAssembly } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { canaries } from '#sandbox/scenario/common/canary.ts';
import { createCanarySearch } from '#sandbox/scenario/common/canary-search.ts';
import type { Emulators } from '#test/shared/aws/emulators.ts';
import { startHttpEmulators } from '#test/shared/aws/http-emulators.ts';

const [canary] = canaries;
const everywhere = ['log', 'bus', 'queue', 'webhooks queue', 'dead letter'] as const;
const place = { account: '000000000000', region: 'eu-central-1', awsOrigin: 'http://x', apiOrigin: 'http://x' };
const { queues } = readBlueprint(readCloudAssembly(inject('assembly')), place);
const deadLetterQueues = queues.filter(({ properties }) => properties.RedrivePolicy === undefined);

let emulators: Emulators;
const directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
const logFile = join(directory, 'functions.log');
beforeAll(async () => {
  emulators = await startHttpEmulators();
}, 60_000);
afterAll(async () => {
  await emulators.close();
  rmSync(directory, { recursive: true, force: true });
});

beforeEach(() => writeFileSync(logFile, 'drain {"level":"INFO","message":"page stored"}\n'));

type Sent = { readonly queue: string; readonly body: string; readonly attribute?: string };

async function send({ queue, body, attribute = 'none' }: Sent): Promise<void> {
  const reason = { DataType: 'String', StringValue: attribute };
  const QueueUrl = emulators.queueUrlOf(queue);
  const ofFifo = QueueUrl.endsWith('.fifo') && { MessageGroupId: body, MessageDeduplicationId: body };
  await emulators.sqs.send(
    new SendMessageCommand({ QueueUrl, MessageBody: body, MessageAttributes: { reason }, ...ofFifo }),
  );
}

/** The names of the failing checks after an event, a message to each queue, and the effects of `leak`. */
async function failing(leak: () => Promise<void> | void = () => undefined): Promise<readonly string[]> {
  const search = createCanarySearch(everywhere);
  const moment = { when: 'before', service: 'sqs', caller: 'drain' } as const;
  const entry = { DetailType: 'OrderUpdated', Detail: '{}' };
  search.onAwsCall({ ...moment, operation: 'PutEvents', input: () => ({ Entries: [entry] }) });
  for (const QueueUrl of ['http://sqs/0/Onboarding', 'http://sqs/0/Webhooks'])
    search.onAwsCall({ ...moment, operation: 'SendMessage', input: () => ({ QueueUrl, MessageBody: '{}' }) });
  await leak();
  const host = {
    blueprint: { queues: queues.map((queue) => ({ ...queue, ref: emulators.queueUrlOf(queue.name) })) },
    clients: emulators,
  };
  const checks = await search.check({ host, logFile });
  return checks.filter(({ holds }) => !holds).map(({ name }) => name);
}

describe('sandbox scenario: createCanarySearch', () => {
  it('finds no canary when none was planted', async () => {
    expect(await failing()).toEqual([]);
  });

  it.each([
    ['a log line', 'drain {"level":"WARN","reason":"Canarybird"}'],
    ['a metric', `drain {"_aws":{"CloudWatchMetrics":[]},"OldestUndeliveredAge":1,"by":"${canary}"}`],
    ['an uncaught error', `advance Error: ${canary} cannot be onboarded`],
  ])('finds a canary in %s', async (_, line) => {
    const found = await failing(() => writeFileSync(logFile, `store {"level":"INFO"}\n${line}\n`));
    expect(found).toEqual([expect.stringContaining('log lines')]);
  });

  it.each(deadLetterQueues.map(({ name }) => name))(
    'finds a canary in the attributes of a message of %s, behind many other messages',
    async (queue) => {
      for (let index = 0; index < 12; index += 1) await send({ queue, body: `${index}` });
      await send({ queue, body: 'x', attribute: `${canary} is not 18` });
      expect(await failing()).toEqual([expect.stringContaining('dead letters')]);
      await emulators.receiveAll(emulators.queueUrlOf(queue));
    },
  );

  it('fails the check of each place that it has not inspected', async () => {
    const { check } = createCanarySearch(everywhere);
    const checks = await check({ host: { blueprint: { queues: [] }, clients: emulators }, logFile });
    expect(checks.filter(({ holds }) => !holds).map(({ name }) => name)).toEqual([
      'inspected events on the bus',
      'inspected messages to queues',
      'inspected messages to the webhooks queue',
    ]);
  });
});
