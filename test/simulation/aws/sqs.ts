import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  QueueDoesNotExist,
  ReceiptHandleIsInvalid,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSServiceException,
} from '@aws-sdk/client-sqs';
import { createService, operation, type Service } from './commands.ts';
import { createSimulatedQueue, type QueueDeps, type QueueProperties, type SimulatedQueue } from './sqs-queue.ts';

export type Sqs = {
  readonly perform: Service;
  /** @throws QueueDoesNotExist */
  readonly queue: (url: string | undefined) => SimulatedQueue;
};

/** SQS in memory. The URL of a queue is its name. */
export function createSqs(declared: Readonly<Record<string, QueueProperties>>, deps: Omit<QueueDeps, 'bury'>): Sqs {
  const queues = new Map(
    Object.entries(declared).map(([name, properties]) => [
      name,
      createSimulatedQueue(properties, {
        ...deps,
        bury: (message) => queue(properties.redrive?.deadLetterQueue).add(message),
      }),
    ]),
  );

  function queue(url: string | undefined): SimulatedQueue {
    const found = queues.get(url ?? '');
    if (found !== undefined) return found;
    throw new QueueDoesNotExist({ message: 'The specified queue does not exist.', $metadata: {} });
  }

  const perform = createService([
    operation(
      SendMessageCommand,
      ['QueueUrl', 'MessageBody', 'MessageGroupId', 'MessageDeduplicationId', 'DelaySeconds'],
      ({ QueueUrl, MessageBody = '', ...options }) => ({ MessageId: send(queue(QueueUrl), MessageBody, options) }),
    ),
    operation(SendMessageBatchCommand, ['QueueUrl', 'Entries'], ({ QueueUrl, Entries = [] }) => {
      const into = queue(QueueUrl);
      checkBatch(Entries.map(({ Id }) => Id));
      const refused = Entries.flatMap(({ Id, MessageBody = '' }) => {
        const Code = refusalOf(MessageBody);
        return Code === undefined ? [] : [{ Id, Code, SenderFault: true }];
      });
      const Successful = Entries.filter(({ Id }) => !refused.some((one) => one.Id === Id)).map(
        ({ Id, MessageBody = '', ...options }) => ({ Id, MessageId: send(into, MessageBody, options) }),
      );
      return { Successful, ...(refused.length > 0 && { Failed: refused }) };
    }),
    operation(
      ReceiveMessageCommand,
      ['QueueUrl', 'MaxNumberOfMessages', 'VisibilityTimeout', 'MessageSystemAttributeNames'],
      ({ QueueUrl, MaxNumberOfMessages = 1, VisibilityTimeout }) => {
        const received = queue(QueueUrl).receive(MaxNumberOfMessages, VisibilityTimeout);
        if (received.length === 0) return {};
        return {
          Messages: received.map(({ id, body, receipt, receiveCount }) => ({
            MessageId: id,
            Body: body,
            ReceiptHandle: receipt,
            Attributes: { ApproximateReceiveCount: String(receiveCount) },
          })),
        };
      },
    ),
    operation(DeleteMessageCommand, ['QueueUrl', 'ReceiptHandle'], ({ QueueUrl, ReceiptHandle }) => {
      const from = queue(QueueUrl);
      const message = from.find(ReceiptHandle);
      // A receipt from before the latest receive deletes nothing and is no error.
      if (message !== undefined) from.remove(message);
      return {};
    }),
    operation(
      ChangeMessageVisibilityCommand,
      ['QueueUrl', 'ReceiptHandle', 'VisibilityTimeout'],
      ({ QueueUrl, ReceiptHandle, VisibilityTimeout = 0 }) => {
        const of = queue(QueueUrl);
        const message = of.find(ReceiptHandle);
        if (message === undefined)
          throw new ReceiptHandleIsInvalid({ message: 'The receipt handle is not valid.', $metadata: {} });
        of.hide(message, VisibilityTimeout);
        return {};
      },
    ),
  ]);

  return { perform, queue };
}

type Options = {
  readonly MessageGroupId?: string | undefined;
  readonly MessageDeduplicationId?: string | undefined;
  readonly DelaySeconds?: number | undefined;
};

function send(into: SimulatedQueue, body: string, options: Options): string {
  const { MessageGroupId: group, MessageDeduplicationId: deduplicationId, DelaySeconds: delay } = options;
  if (into.properties.isFifo === true && group === undefined)
    throw failure('MissingParameter', 'The request must contain the parameter MessageGroupId.');
  if (body === '') throw failure('InvalidParameterValue', 'The message must not be empty.');
  const refusal = refusalOf(body);
  if (refusal !== undefined) throw failure(refusal, 'The message is too large, or has characters that SQS refuses.');
  return into.send(body, { group, deduplicationId, delay });
}

/** The maximum size of one SQS message. */
const maxMessageBytes = 1024 * 1024;

/** The name of the error for a text that SQS refuses; undefined for valid texts. */
function refusalOf(body: string): string | undefined {
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(body)) return 'InvalidMessageContents';
  const isTooLarge = body.length > maxMessageBytes / 3 && Buffer.byteLength(body) > maxMessageBytes;
  return isTooLarge ? 'InvalidParameterValue' : undefined;
}

/** The limits of one SQS batch. */
const maxEntries = 10;

function checkBatch(ids: readonly (string | undefined)[]): void {
  if (ids.length === 0) throw failure('EmptyBatchRequest', 'There should be at least one entry in the request.');
  if (ids.length > maxEntries)
    throw failure('TooManyEntriesInBatchRequest', 'Maximum number of entries per request are 10.');
  if (new Set(ids).size < ids.length)
    throw failure('BatchEntryIdsNotDistinct', 'Two or more entries have the same Id.');
}

function failure(name: string, message: string): SQSServiceException {
  return new SQSServiceException({ name, $fault: 'client', message, $metadata: {} });
}
