import { CreateQueueCommand, GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { startFauxqs } from 'fauxqs';
import * as z from 'zod';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { type AwsService, forwardTo } from './aws-service.ts';

const ofQueue = z.object({ QueueUrl: z.string() });

export type Sqs = AwsService & {
  /**
   * How long the oldest message has been in a queue, in seconds of real time; 0 in an empty queue. SQS leaves out a message that was
   * received three times.
   */
  readonly oldestMessageAge: (queueName: string) => number;
};

/** SQS by fauxqs. In memory: with a directory for its data it loses messages. */
export async function startSqs(region: string): Promise<Sqs> {
  const server = await startFauxqs({ port: 0, logger: false, defaultRegion: region });
  const { handle, close } = forwardTo(server.address, () => server.stop());

  /** The emulator counts a message as in flight after its visibility timeout, until a consumer receives. */
  async function returnExpired(QueueUrl: string): Promise<void> {
    const { inflight = [] } = server.inspectQueue(QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1))?.messages ?? {};
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.ChangeMessageVisibility',
    };
    for (const { receiptHandle: ReceiptHandle, visibilityDeadline } of inflight)
      if (visibilityDeadline <= Date.now()) {
        const body = JSON.stringify({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
        await fetch(server.address, { method: 'POST', headers, body });
      }
  }

  return {
    close,
    handle: async (call) => {
      const { data } = ofQueue.safeParse(call.operation === 'GetQueueAttributes' ? call.input() : undefined);
      if (data !== undefined) await returnExpired(data.QueueUrl);
      return handle(call);
    },
    oldestMessageAge: (queueName) => {
      const { ready = [], delayed = [], inflight = [] } = server.inspectQueue(queueName)?.messages ?? {};
      const sent = [...ready, ...delayed, ...inflight.map(({ message }) => message)]
        .filter(({ approximateReceiveCount }) => approximateReceiveCount < 3)
        .map(({ sentTimestamp }) => sentTimestamp);
      const now = Date.now();
      return (now - Math.min(now, ...sent)) / 1_000;
    },
  };
}

/** Creates the queues that the stacks declare: dead-letter queues first, since the others name them. */
export async function createQueues(queues: Blueprint['queues'], sqs: SQSClient): Promise<void> {
  const inOrder = queues.toSorted((one, other) => Number(hasRedrive(one)) - Number(hasRedrive(other)));
  for (const { physicalName, properties } of inOrder) {
    await sqs.send(new CreateQueueCommand({ QueueName: physicalName, Attributes: attributesOf(properties) }));
  }
}

type Queue = Blueprint['queues'][number];

/** All that SQS is to know of a queue, as text: what is not checked on a laptop stays behind. */
function attributesOf({ RedrivePolicy, ...properties }: Queue['properties']): Record<string, string> {
  const known = Object.entries(properties).filter(([, value]) => typeof value === 'number' || value === true);
  return {
    ...Object.fromEntries(known.map(([name, value]) => [name, String(value)])),
    ...(RedrivePolicy !== undefined && { RedrivePolicy: JSON.stringify(RedrivePolicy) }),
  };
}

function hasRedrive(queue: Queue): boolean {
  return queue.properties.RedrivePolicy !== undefined;
}

export type QueueDepth = { readonly visible: number; readonly inFlight: number };

/** How many messages wait in a queue, and how many are being worked on. */
export async function readQueueDepth(sqs: SQSClient, queueUrl: string): Promise<QueueDepth> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: queueUrl,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  return {
    visible: Number(Attributes?.ApproximateNumberOfMessages ?? 0),
    inFlight: Number(Attributes?.ApproximateNumberOfMessagesNotVisible ?? 0),
  };
}
