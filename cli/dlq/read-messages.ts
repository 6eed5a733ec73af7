import { type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
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
  /** Of MissedRuns and RequestsDlq: why EventBridge could not hand the message over. */
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

/** SQS hands out ten messages at most. A read of an empty part of a queue gives none. */
const maxEmptyReads = 3;

/** Reads messages, which other readers can receive at the same time. */
export async function readMessages(
  { clients, resources }: Pick<Deployment, 'clients' | 'resources'>,
  queue: DeadLetterQueueName,
  limit: number,
): Promise<readonly DeadMessage[]> {
  const QueueUrl = (await resources()).idOf('queue', queue);
  const found = new Map<string, DeadMessage>();
  for (let emptyReads = 0; found.size < limit && emptyReads < maxEmptyReads; ) {
    const before = found.size;
    const { Messages = [] } = await clients.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: Math.min(10, limit),
        // Hidden for as long as this command reads on.
        VisibilityTimeout: 2,
        MessageSystemAttributeNames: ['SentTimestamp', 'ApproximateReceiveCount'],
        MessageAttributeNames: ['ERROR_CODE', 'ERROR_MESSAGE', 'SCHEDULE_ARN'],
      }),
    );
    for (const message of Messages.map(describeMessage)) found.set(message.messageId, message);
    if (found.size === before) emptyReads += 1;
  }
  return [...found.values()].slice(0, limit);
}

function describeMessage({ MessageId = '', Body = '', Attributes = {}, MessageAttributes }: Message): DeadMessage {
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
