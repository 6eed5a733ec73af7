import { ChangeMessageVisibilityBatchCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { parseJson } from '#shared/parse-json.ts';
import type { DeadLetterQueueName } from './dead-letter-queues.ts';

/** A message of a dead-letter queue. */
export type DeadMessage = {
  readonly messageId: string;
  readonly sentOn: string | undefined;
  /** How often a function has received the message. */
  readonly receives: number;
  readonly about: 'delivery' | 'event' | 'onboarding' | 'request' | 'schedule' | undefined;
  /** Of the delivery, event or onboarding: finds its log lines. Of a request the id of its event on the bus. Of a schedule its name. */
  readonly id: string | undefined;
  /** Why EventBridge could not hand the message over, or the error that a function logged last. It has no personal data. */
  readonly error: string | undefined;
  /** What the platform sent, or what another message says. It can hold personal data. */
  readonly body: string;
};

/** The ids that our messages have. */
const content = z
  .object({ deliveryId: z.string(), eventId: z.string(), onboardingId: z.string(), deflatedBody: z.string() })
  .partial()
  .catch({});

/** The only part of a request that names no person. */
const request = z
  .object({ 'detail-type': z.literal('OnboardingRequested'), id: z.string() })
  .optional()
  .catch(undefined);

/** SQS hands out ten messages at most. After so many reads in a row without a new message, the queue has no other one. */
const maxEmptyReads = 2;

/** In seconds: a read that does not wait asks only some of the servers of SQS, and can miss messages. */
const waitFor = 1;

/** In seconds: how long other readers do not get messages that are only read. */
const readFor = 30;

/** SQS takes ten messages in one request. */
const maxBatch = 10;

/** A message, with what sends it again and what deletes it. */
export type HeldMessage = DeadMessage & {
  readonly sent: Pick<Message, 'Body' | 'MessageAttributes'>;
  readonly receiptHandle: string;
};

export type HoldProps = {
  readonly queue: DeadLetterQueueName;
  /** Whether the messages so far suffice; else all are received. */
  readonly isEnough: (found: ReadonlyMap<string, HeldMessage>) => boolean;
  /** In seconds: other readers do not get the messages for so long, unless they are released before. */
  readonly holdFor?: number;
};

/** Receives messages, lets `use` work on them, and then gives those that are left back to other readers. */
export async function holdMessages<Result>(
  { clients: { sqs }, resources }: Pick<Deployment, 'clients' | 'resources'>,
  { queue, isEnough, holdFor = readFor }: HoldProps,
  use: (messages: readonly HeldMessage[], QueueUrl: string) => Promise<Result>,
): Promise<Result> {
  const QueueUrl = (await resources()).idOf('queue', queue);
  const found = new Map<string, HeldMessage>();
  try {
    for (let emptyReads = 0; !isEnough(found) && emptyReads < maxEmptyReads; ) {
      const before = found.size;
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: maxBatch,
          VisibilityTimeout: holdFor,
          WaitTimeSeconds: waitFor,
          MessageSystemAttributeNames: ['SentTimestamp', 'ApproximateReceiveCount'],
          MessageAttributeNames: ['All'],
        }),
      );
      for (const message of Messages.map(describeMessage)) found.set(message.messageId, message);
      emptyReads = found.size === before ? emptyReads + 1 : 0;
    }
    return await use([...found.values()], QueueUrl);
  } finally {
    const held = [...found.values()];
    for (let from = 0; from < held.length; from += maxBatch)
      // Some may be deleted by now. A message that is not released returns by itself after its time.
      await sqs
        .send(
          new ChangeMessageVisibilityBatchCommand({
            QueueUrl,
            Entries: held.slice(from, from + maxBatch).map(({ receiptHandle: ReceiptHandle }, index) => ({
              Id: String(index),
              ReceiptHandle,
              VisibilityTimeout: 0,
            })),
          }),
        )
        .catch(() => undefined);
  }
}

/** Reads messages, which other readers can receive again afterwards. */
export function readMessages(
  deployment: Pick<Deployment, 'clients' | 'resources'>,
  queue: DeadLetterQueueName,
  limit: number,
): Promise<readonly DeadMessage[]> {
  const isEnough = (found: ReadonlyMap<string, unknown>) => found.size >= limit;
  return holdMessages(deployment, { queue, isEnough }, async (messages) =>
    messages.slice(0, limit).map(({ sent: _, receiptHandle: __, ...message }) => message),
  );
}

function describeMessage(message: Message): HeldMessage {
  const { MessageId = '', Body = '', Attributes = {}, MessageAttributes, ReceiptHandle = '' } = message;
  const json = parseJson(Body);
  const { deliveryId, eventId, onboardingId, deflatedBody } = content.parse(json);
  const { SentTimestamp, ApproximateReceiveCount } = Attributes;
  const schedule = MessageAttributes?.['SCHEDULE_ARN']?.StringValue?.split('/').at(-1);
  const about = {
    delivery: deliveryId,
    event: eventId,
    onboarding: onboardingId,
    request: request.parse(json)?.id,
    schedule,
  };
  const [kind] = (['delivery', 'event', 'onboarding', 'request', 'schedule'] as const).filter(
    (one) => about[one] !== undefined,
  );
  return {
    messageId: MessageId,
    sentOn: SentTimestamp === undefined ? undefined : new Date(Number(SentTimestamp)).toISOString(),
    receives: Number(ApproximateReceiveCount ?? 0),
    about: kind,
    id: kind && about[kind],
    error: errorOf(MessageAttributes),
    body: deflatedBody === undefined ? Body : (inflate(deflatedBody) ?? Body),
    sent: { Body, MessageAttributes },
    receiptHandle: ReceiptHandle,
  };
}

/** Undefined for what is not deflated: an operator can have sent the message. */
function inflate(deflatedBody: string): string | undefined {
  try {
    return Buffer.from(inflateBody(Buffer.from(deflatedBody, 'base64'))).toString('utf8');
  } catch {
    return undefined;
  }
}

/** As EventBridge Scheduler adds it to a message of a dead-letter queue. */
function errorOf({ ERROR_CODE, ERROR_MESSAGE }: Message['MessageAttributes'] = {}): string | undefined {
  const parts = [ERROR_CODE?.StringValue, ERROR_MESSAGE?.StringValue].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(': ');
}
