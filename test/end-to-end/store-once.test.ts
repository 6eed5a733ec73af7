import { randomUUID } from 'node:crypto';
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';

const transfers = 'TRANSFER_NOTIFICATION';
let stacks: HostedStacks;
/** What a test does to the AWS calls of the functions. */
let onAwsCall: ((moment: AwsCallMoment) => void) | undefined;

beforeAll(async () => {
  stacks = await startHostedStacks({ onAwsCall: (moment) => onAwsCall?.(moment) });
});
afterEach(() => {
  onAwsCall = undefined;
});
afterAll(() => stacks.host.close());

async function waitUntilStored(): Promise<void> {
  await expect.poll(() => stacks.backlog('webhooks')).toBe(0);
}

/** Reads the events about a transfer. */
async function eventsOf(transferId: string) {
  const rows = await stacks.events();
  return rows.filter(({ deflatedBody }) => Buffer.from(inflateBody(deflatedBody)).includes(transferId));
}

describe('receive answers 2xx only when the webhook is durable', () => {
  it('answers 503 and keeps nothing when SQS rejects the message', async () => {
    const transferId = randomUUID();
    onAwsCall = ({ when, operation, caller }) => {
      if (when === 'before' && operation === 'SendMessage' && caller === 'receive') throw new Error('SQS is down');
    };
    expect((await stacks.deliver(transfers, JSON.stringify({ transferId }))).status).toBe(503);
    await waitUntilStored();
    expect(await eventsOf(transferId)).toEqual([]);
  });

  it('counts one delivery when the answer of SQS is lost and the SDK sends the message again', async () => {
    const transferId = randomUUID();
    let lost = 0;
    onAwsCall = ({ when, operation, caller }) => {
      if (when !== 'after' || operation !== 'SendMessage' || caller !== 'receive' || lost > 0) return;
      lost += 1;
      throw new Error('The answer is lost');
    };
    expect((await stacks.deliver(transfers, JSON.stringify({ transferId }))).status).toBe(200);
    await waitUntilStored();
    expect(lost).toBe(1);
    expect(await eventsOf(transferId)).toEqual([expect.objectContaining({ deliveries: 1 })]);
  });
});

describe('an event has its effect once when store crashes', () => {
  /** Kills `store` at the next such moment, and only once. */
  function crashOnce(at: Pick<AwsCallMoment, 'when' | 'operation'>): () => number {
    let crashes = 0;
    onAwsCall = ({ when, operation, caller }) => {
      if (caller !== 'store' || crashes > 0 || when !== at.when || operation !== at.operation) return;
      crashes += 1;
      stacks.host.functions.find('store')?.kill();
    };
    return () => crashes;
  }

  it.each([
    { when: 'before', operation: 'UpdateItem' },
    { when: 'after', operation: 'UpdateItem' },
    { when: 'before', operation: 'PutItem' },
    { when: 'after', operation: 'PutItem' },
  ] as const)('stores an event once with one delivery when store crashes $when $operation', async (moment) => {
    const transferId = randomUUID();
    const crashes = crashOnce(moment);
    await stacks.deliver(transfers, JSON.stringify({ transferId }));
    await expect.poll(crashes).toBe(1);
    await waitUntilStored();
    expect(await eventsOf(transferId)).toEqual([expect.objectContaining({ deliveries: 1 })]);
  });

  it.each([
    { when: 'before', operation: 'UpdateItem' },
    { when: 'after', operation: 'UpdateItem' },
  ] as const)(
    'stores an event once with two deliveries when store crashes $when $operation of a duplicate',
    async (moment) => {
      const transferId = randomUUID();
      await stacks.deliver(transfers, JSON.stringify({ transferId }));
      await expect.poll(() => eventsOf(transferId)).toHaveLength(1);
      await waitUntilStored();
      const crashes = crashOnce(moment);
      await stacks.deliver(transfers, `{ "transferId" : "${transferId}" }`);
      await expect.poll(crashes).toBe(1);
      await waitUntilStored();
      expect(await eventsOf(transferId)).toEqual([expect.objectContaining({ deliveries: 2 })]);
    },
  );
});

describe('a message that store cannot process', () => {
  it('moves to the dead-letter queue after its last try, while the webhooks of the same batches are stored', async () => {
    const poison = 'not a delivery';
    const { sqs } = stacks.host.clients;
    await sqs.send(new SendMessageCommand({ QueueUrl: stacks.queueUrl('webhooks'), MessageBody: poison }));
    const transferIds = Array.from({ length: 20 }, () => randomUUID());
    await Promise.all(transferIds.map((transferId) => stacks.deliver(transfers, JSON.stringify({ transferId }))));
    await expect.poll(() => stacks.backlog('webhooks-dlq')).toBe(1);
    await waitUntilStored();
    for (const transferId of transferIds) expect(await eventsOf(transferId)).toHaveLength(1);
    const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: stacks.queueUrl('webhooks-dlq') }));
    expect(Messages?.map(({ Body }) => Body)).toEqual([poison]);
    expect(stacks.log.join('\n')).not.toContain(poison);
  });
});
