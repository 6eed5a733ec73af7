import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
} from '@aws-sdk/client-sqs';
import { Duration, type Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnEventSourceMapping, type CfnEventSourceMappingProps, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { type QueueDepth, readQueueDepth } from '#sandbox/aws/services/sqs.ts';
import type { FixtureHost } from '#test/sandbox/aws/fixture-host.ts';

/** A queue whose messages a function gets, three at a time: one poller, so that a test knows which come together. */
export function addSource(
  stack: Stack,
  id: string,
  target: IFunction,
  { queue: queueProps = {}, ...mapping }: Partial<CfnEventSourceMappingProps> & { readonly queue?: QueueProps } = {},
): void {
  const queue = new Queue(stack, id, { visibilityTimeout: Duration.minutes(5), ...queueProps });
  const actions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
  target.addToRolePolicy(new PolicyStatement({ actions, resources: [queue.queueArn] }));
  new CfnEventSourceMapping(stack, `${id}Mapping`, {
    batchSize: 3,
    maximumBatchingWindowInSeconds: 1,
    scalingConfig: { maximumConcurrency: 1 },
    eventSourceArn: queue.queueArn,
    functionName: target.functionName,
    ...mapping,
  });
}

type Message = Omit<SendMessageBatchRequestEntry, 'Id'>;

export async function sendMessages(
  { host, queueUrl }: FixtureHost,
  queue: string,
  messages: readonly Message[],
): Promise<void> {
  const Entries = messages.map((message, index) => ({ Id: String(index), ...message }));
  await host.clients.sqs.send(new SendMessageBatchCommand({ QueueUrl: queueUrl(queue), Entries }));
}

export function depthOf({ host, queueUrl }: FixtureHost, queue: string): Promise<QueueDepth> {
  return readQueueDepth(host.clients.sqs, queueUrl(queue));
}

/** Waits for a message of the queue, and takes it away. */
export async function takeMessage({ host, queueUrl }: FixtureHost, queue: string): Promise<string | undefined> {
  const QueueUrl = queueUrl(queue);
  const { Messages: [message] = [] } = await host.clients.sqs.send(
    new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }),
  );
  if (message !== undefined)
    await host.clients.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
  return message?.Body;
}
