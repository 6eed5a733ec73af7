import type { Message, MessageAttributeValue } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import type { Place } from '#sandbox/aws/stacks/identity.ts';

/** An event source mapping of the stacks, and a queue of theirs. */
export type Mapping = Blueprint['eventSourceMappings'][number];
export type Queue = Blueprint['queues'][number];

/** A message as a function receives it: a record of an SQS event. */
export function toRecord(message: Message, queue: Queue, { region }: Place): object {
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: recordAttributes(message.MessageAttributes ?? {}),
    md5OfBody: message.MD5OfBody,
    md5OfMessageAttributes: message.MD5OfMessageAttributes,
    eventSource: 'aws:sqs',
    eventSourceARN: queue.arn,
    awsRegion: region,
  };
}

function recordAttributes(attributes: Readonly<Record<string, MessageAttributeValue>>): object {
  const toAttribute = ({ DataType, StringValue, BinaryValue }: MessageAttributeValue) => ({
    stringValue: StringValue,
    binaryValue: BinaryValue && Buffer.from(BinaryValue).toString('base64'),
    stringListValues: [],
    binaryListValues: [],
    dataType: DataType,
  });
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, toAttribute(value)]));
}

const batchResponse = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish(),
});

/** What Lambda takes for failed: an answer that it does not understand, or an id that it does not know, is all of it. */
export function failedOf({ properties }: Mapping, messages: readonly Message[], payload: string): readonly Message[] {
  if (!properties.FunctionResponseTypes.includes('ReportBatchItemFailures')) return [];
  const answer = batchResponse.nullable().safeParse(JSON.parse(payload));
  if (!answer.success) return messages;
  const ids = new Set((answer.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier));
  const failed = messages.filter(({ MessageId = '' }) => ids.has(MessageId));
  return failed.length === ids.size ? failed : messages;
}
