import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, it } from 'vitest';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';

const transfers = 'TRANSFER_NOTIFICATION';
let stacks: HostedStacks;
afterEach(() => stacks.host.close());

async function allStored(): Promise<void> {
  await expect.poll(() => stacks.backlog('webhooks')).toBe(0);
}

describe('promise 1: answered 2xx only when it is durable', () => {
  it('answers 5xx when SQS refuses, and the webhook is nowhere', async () => {
    stacks = await startHostedStacks({
      onAwsCall: ({ when, operation, caller }) => {
        if (when === 'before' && operation === 'SendMessage' && caller === 'receive') throw new Error('SQS is down');
      },
    });
    expect((await stacks.deliver(transfers, '{"transferId":"a"}')).status).toBe(503);
    await allStored();
    expect(await stacks.events()).toEqual([]);
  });

  it('counts one delivery when the answer of SQS is lost, and the SDK sends the message again', async () => {
    let lost = 0;
    stacks = await startHostedStacks({
      onAwsCall: ({ when, operation, caller }) => {
        if (when !== 'after' || operation !== 'SendMessage' || caller !== 'receive' || lost > 0) return;
        lost += 1;
        throw new Error('The answer is lost');
      },
    });
    expect((await stacks.deliver(transfers, '{"transferId":"a"}')).status).toBe(200);
    await allStored();
    expect(lost).toBe(1);
    expect(await stacks.events()).toEqual([expect.objectContaining({ deliveries: 1 })]);
  });
});

describe('promise 2: an event has its effect once, whatever crashes between any two I/Os', () => {
  /** Kills `store` at the first such moment, and lets it be from then on. */
  function crashOnce(moment: Pick<AwsCallMoment, 'when' | 'operation'>) {
    let crashes = 0;
    const onAwsCall = ({ when, operation, caller }: AwsCallMoment) => {
      if (caller !== 'store' || crashes > 0 || when !== moment.when || operation !== moment.operation) return;
      crashes += 1;
      stacks.host.functions.find('store')?.kill();
    };
    return { onAwsCall, crashed: () => crashes };
  }

  it.each([
    { when: 'before', operation: 'PutItem' },
    { when: 'after', operation: 'PutItem' },
  ] as const)('a crash $when $operation: stored once, one delivery', async (moment) => {
    const { onAwsCall, crashed } = crashOnce(moment);
    stacks = await startHostedStacks({ onAwsCall });
    await stacks.deliver(transfers, '{"transferId":"a"}');
    await expect.poll(crashed).toBe(1);
    await allStored();
    expect(await stacks.events()).toEqual([expect.objectContaining({ deliveries: 1 })]);
  });

  it.each([
    { when: 'after', operation: 'PutItem' },
    { when: 'before', operation: 'UpdateItem' },
    { when: 'after', operation: 'UpdateItem' },
  ] as const)('a crash $when $operation of a duplicate: stored once, two deliveries', async (moment) => {
    let armed = false;
    const { onAwsCall, crashed } = crashOnce(moment);
    stacks = await startHostedStacks({ onAwsCall: (call) => (armed ? onAwsCall(call) : undefined) });
    await stacks.deliver(transfers, '{"transferId":"a"}');
    await expect.poll(() => stacks.events()).toHaveLength(1);
    await allStored();
    armed = true;
    await stacks.deliver(transfers, '{ "transferId" : "a" }');
    await expect.poll(crashed).toBe(1);
    await allStored();
    expect(await stacks.events()).toEqual([expect.objectContaining({ deliveries: 2 })]);
  });
});

describe('promise 3: what cannot be stored ends in the DLQ, and its neighbours in the event store', () => {
  it('moves a poison message after its tries', async () => {
    stacks = await startHostedStacks();
    const poison = 'not a delivery';
    const { sqs } = stacks.host.clients;
    await sqs.send(new SendMessageCommand({ QueueUrl: stacks.queueUrl('webhooks'), MessageBody: poison }));
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => stacks.deliver(transfers, JSON.stringify({ transferId: n }))),
    );
    await expect.poll(() => stacks.backlog('webhooks-dlq')).toBe(1);
    await allStored();
    expect(await stacks.events()).toHaveLength(20);
    const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: stacks.queueUrl('webhooks-dlq') }));
    expect(Messages?.map(({ Body }) => Body)).toEqual([poison]);
    expect(stacks.log.join('\n')).not.toContain(poison);
  });
});
