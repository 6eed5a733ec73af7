import {
  ListMessageMoveTasksCommand,
  type ListMessageMoveTasksResultEntry,
  ReceiveMessageCommand,
  SendMessageCommand,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';
import { depthOf, sendMessages, takeMessage } from '#test/sandbox/aws/lambda/queue-fixture.ts';

let fixture: FixtureHost;
beforeAll(async () => {
  fixture = await startFixture((stack) => {
    const withDeadLetters = (id: string, props: { readonly fifo?: true } = {}) => {
      const queue = new Queue(stack, `${id}Dlq`, props);
      new Queue(stack, id, { ...props, deadLetterQueue: { queue, maxReceiveCount: 2 } });
    };
    for (const id of ['Work', 'Other', 'Bounded']) withDeadLetters(id);
    withDeadLetters('Ordered', { fifo: true });
  });
});
afterAll(() => fixture.close());

const arnOf = (queue: string) => fixture.host.blueprint.queues.find(({ name }) => name === queue)?.arn ?? queue;

const start = (queue: string) =>
  fixture.host.clients.sqs.send(new StartMessageMoveTaskCommand({ SourceArn: arnOf(queue) }));

async function list(queue: string, MaxResults?: number): Promise<readonly ListMessageMoveTasksResultEntry[]> {
  const command = new ListMessageMoveTasksCommand({ SourceArn: arnOf(queue), MaxResults });
  const { Results = [] } = await fixture.host.clients.sqs.send(command);
  return Results;
}

const statusOf = async (queue: string) => (await list(queue))[0]?.Status;
const completed = (queue: string) => expect.poll(() => statusOf(queue), { timeout: 20_000 }).toBe('COMPLETED');

describe('sandbox aws: the count of a queue', () => {
  it('has a received message again once its visibility timeout is over', async () => {
    await sendMessages(fixture, 'other', [{ MessageBody: 'seen' }]);
    const received = new ReceiveMessageCommand({ QueueUrl: fixture.queueUrl('other'), VisibilityTimeout: 1 });
    await fixture.host.clients.sqs.send(received);
    await expect.poll(() => depthOf(fixture, 'other')).toEqual({ visible: 1, inFlight: 0 });
    await takeMessage(fixture, 'other');
  });
});

describe('sandbox aws: a redrive', () => {
  it('moves the messages of a dead-letter queue to the queue that they came from, with their attributes', async () => {
    const MessageAttributes = { kind: { DataType: 'String', StringValue: 'Order' } };
    await sendMessages(fixture, 'work-dlq', [{ MessageBody: 'failed', MessageAttributes }]);
    const { TaskHandle } = await start('work-dlq');
    expect(TaskHandle).toEqual(expect.any(String));
    const { Messages } = await fixture.host.clients.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: fixture.queueUrl('work'),
        WaitTimeSeconds: 20,
        MessageAttributeNames: ['All'],
      }),
    );
    expect(Messages).toMatchObject([{ Body: 'failed', MessageAttributes }]);
    await completed('work-dlq');
    expect(await depthOf(fixture, 'work-dlq')).toEqual({ visible: 0, inFlight: 0 });
  });

  it('keeps the group of a message of a FIFO queue', async () => {
    await fixture.host.clients.sqs.send(
      new SendMessageCommand({
        QueueUrl: fixture.queueUrl('ordered-dlq'),
        MessageBody: 'failed',
        MessageGroupId: 'one-group',
        MessageDeduplicationId: 'first',
      }),
    );
    await start('ordered-dlq');
    const { Messages } = await fixture.host.clients.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: fixture.queueUrl('ordered'),
        WaitTimeSeconds: 20,
        MessageSystemAttributeNames: ['MessageGroupId'],
      }),
    );
    expect(Messages).toMatchObject([{ Body: 'failed', Attributes: { MessageGroupId: 'one-group' } }]);
  });

  it('says how many messages it moved, newest task first', async () => {
    await sendMessages(fixture, 'bounded-dlq', [{ MessageBody: 'one' }, { MessageBody: 'two' }]);
    await start('bounded-dlq');
    await completed('bounded-dlq');
    await start('bounded-dlq');
    await completed('bounded-dlq');
    const task = { SourceArn: arnOf('bounded-dlq'), Status: 'COMPLETED', StartedTimestamp: expect.any(Number) };
    const empty = { ApproximateNumberOfMessagesToMove: 0, ApproximateNumberOfMessagesMoved: 0 };
    const two = { ApproximateNumberOfMessagesToMove: 2, ApproximateNumberOfMessagesMoved: 2 };
    expect(await list('bounded-dlq', 10)).toEqual([
      { ...task, ...empty },
      { ...task, ...two },
    ]);
    expect(await list('bounded-dlq')).toEqual([{ ...task, ...empty }]);
  });
});
