import { CreateQueueCommand, GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { startFauxqs } from 'fauxqs';
import * as z from 'zod';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { type AwsAnswer, type AwsCall, type AwsService, forwardTo } from './aws-service.ts';
import { createDeduplication } from './deduplication.ts';
import { createQueueClock, type QueueClock } from './queue-clock.ts';
import { createTraceHeaders } from './trace-headers.ts';

const ofQueue = z.object({ QueueUrl: z.string() });
const ofNewQueue = z.object({ QueueName: z.string() });
const attributeNames = z.array(z.string()).default([]);
const receive = z.object({ MessageSystemAttributeNames: attributeNames, AttributeNames: attributeNames });
const received = z.looseObject({
  Messages: z
    .array(z.looseObject({ MessageId: z.string(), Attributes: z.record(z.string(), z.string()).optional() }))
    .optional(),
});

export type Sqs = AwsService & {
  /**
   * How long the oldest message has been in a queue, in seconds of real time; 0 in an empty queue. SQS leaves out a message of a
   * standard queue that was received three times.
   */
  readonly oldestMessageAge: (queueName: string) => number;
  readonly clock: QueueClock;
};

export type SqsDeps = {
  readonly region: string;
  /** The queues whose messages functions get, by name. */
  readonly polled: ReadonlySet<string>;
  /** The clock of the laptop. */
  readonly now: () => Date;
};

/** In milliseconds of real time: how often the clock is compared with the real one. */
const followEvery = 50;

/** SQS by fauxqs. In memory: with a directory for its data it loses messages. */
export async function startSqs({ region, polled, now }: SqsDeps): Promise<Sqs> {
  const server = await startFauxqs({ port: 0, logger: false, defaultRegion: region });
  const { handle, close } = forwardTo(server.address, () => server.stop());
  const traceHeaders = createTraceHeaders();
  const deduplication = createDeduplication({
    isContentBased: (name) => server.inspectQueue(name)?.attributes['ContentBasedDeduplication'] === 'true',
    now,
  });
  const queueNames = new Set<string>();
  const clock = createQueueClock({ server, send, queueNames, polled, now });
  // The host may be ending.
  const timer = setInterval(() => void clock.follow().catch(() => undefined), followEvery);

  async function send(operation: string, input: object): Promise<unknown> {
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${operation}` };
    const answer = await fetch(server.address, { method: 'POST', headers, body: JSON.stringify(input) });
    return answer.json();
  }

  /** The emulator counts a message as in flight after its visibility timeout, until a consumer receives. */
  async function returnExpired(QueueUrl: string): Promise<void> {
    const { inflight = [] } = server.inspectQueue(QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1))?.messages ?? {};
    for (const { receiptHandle: ReceiptHandle, visibilityDeadline } of inflight)
      if (visibilityDeadline <= Date.now())
        await send('ChangeMessageVisibility', { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
  }

  const sends = new Set<Promise<AwsAnswer>>();

  function keepTrace(call: AwsCall): Promise<AwsAnswer> {
    const send = handle(call).then((answer) => {
      if (answer.status === 200) traceHeaders.keep(call, answer);
      return answer;
    });
    sends.add(send);
    return send.finally(() => sends.delete(send));
  }

  /** Adds what the emulator does not know: the trace headers of messages, and the time of the laptop. */
  async function complete(call: AwsCall, answer: AwsAnswer): Promise<AwsAnswer> {
    const { Messages, ...rest } = received.parse(JSON.parse(String(Buffer.from(answer.body))));
    if (answer.status !== 200 || Messages === undefined) return answer;
    // A receive can be answered before the send whose message it has.
    await Promise.allSettled(sends);
    const { MessageSystemAttributeNames, AttributeNames } = receive.parse(call.input());
    const isAsked = (name: string) =>
      [...MessageSystemAttributeNames, ...AttributeNames].some((asked) => asked === name || asked === 'All');
    const completed = Messages.map(({ Attributes = {}, ...message }) => {
      const attributes = Object.entries(Attributes)
        .map(deduplication.restore)
        .map(([name, value]) =>
          name.endsWith('Timestamp') ? [name, String(Number(value) + clock.ahead())] : [name, value],
        );
      const trace = traceHeaders.find(message.MessageId);
      if (trace !== undefined && isAsked('AWSTraceHeader')) attributes.push(['AWSTraceHeader', trace]);
      return { ...message, ...(attributes.length > 0 && { Attributes: Object.fromEntries(attributes) }) };
    });
    return { ...answer, body: JSON.stringify({ ...rest, Messages: completed }) };
  }

  return {
    close: () => {
      clearInterval(timer);
      return close();
    },
    handle: async (call) => {
      await clock.follow();
      const { operation } = call;
      if (operation === 'SendMessage') return deduplication.send(call, keepTrace);
      if (operation === 'SendMessageBatch') return keepTrace(call);
      if (operation === 'ReceiveMessage') return complete(call, await handle(call));
      if (operation === 'CreateQueue') {
        const { data } = ofNewQueue.safeParse(call.input());
        if (data !== undefined) queueNames.add(data.QueueName);
      }
      if (operation === 'GetQueueAttributes') {
        const { data } = ofQueue.safeParse(call.input());
        if (data !== undefined) await returnExpired(data.QueueUrl);
      }
      return handle(call);
    },
    oldestMessageAge: (queueName) => {
      const { ready = [], delayed = [], inflight = [] } = server.inspectQueue(queueName)?.messages ?? {};
      const sent = [...ready, ...delayed, ...inflight.map(({ message }) => message)]
        .filter(({ messageGroupId, approximateReceiveCount: count }) => messageGroupId !== undefined || count < 3)
        .map(({ sentTimestamp }) => sentTimestamp);
      const time = Date.now();
      return (time - Math.min(time, ...sent)) / 1_000;
    },
    clock,
  };
}

/** Creates the queues that the stacks declare: dead-letter queues first, since the others name them. */
export async function createQueues(queues: Blueprint['queues'], sqs: SQSClient): Promise<void> {
  const ordered = queues.toSorted((one, other) => Number(hasRedrive(one)) - Number(hasRedrive(other)));
  for (const { physicalName, properties } of ordered) {
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
