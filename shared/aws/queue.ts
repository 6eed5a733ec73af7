import { SendMessageBatchCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';

export type Queue = {
  /** Resolves once SQS has the message. @throws `QueueError` when it may not have it */
  readonly send: (text: string) => Promise<void>;
};

export type QueueDeps = {
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly queueUrl: string;
  /** For a FIFO queue: messages of a group are worked on one after the other. */
  readonly messageGroup?: string;
};

export function createQueue({ sqs, queueUrl, messageGroup }: QueueDeps): Queue {
  async function send(text: string): Promise<void> {
    const { MessageId } = await confirmed(text);
    if (MessageId === undefined)
      throw new DrawbridgeError('QueueError', 'SQS answered without a message id: send the message again.');
  }

  async function confirmed(text: string) {
    try {
      return await sqs.send(
        new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: text, MessageGroupId: messageGroup }),
      );
    } catch (cause) {
      throw new DrawbridgeError('QueueError', 'SQS did not take the message: send it again.', { cause });
    }
  }

  return { send };
}

export type BatchQueue = {
  /**
   * Resolves once SQS has every message. When it throws, SQS may have some.
   *
   * @param onTaken receives the messages that SQS has confirmed, before the call resolves or throws
   * @throws `QueueError`
   */
  readonly sendAll: (texts: readonly string[], onTaken?: (texts: readonly string[]) => void) => Promise<void>;
};

/** What one call to SQS holds: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
const batchSize = 10;

/** Batches under way at the same time. */
const batchConcurrency = 5;

/** How often a message is sent if SQS accepts others of its batch and refuses this one. */
const maxAttempts = 3;

/** Sends many small messages in few calls: ten of them must stay below 1 MiB. */
export function createBatchQueue({
  sqs,
  queueUrl,
}: {
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly queueUrl: string;
}): BatchQueue {
  async function sendBatch(texts: readonly string[], onTaken?: (texts: readonly string[]) => void): Promise<void> {
    let left = texts;
    for (let tries = 0; left.length > 0; tries += 1) {
      if (tries === maxAttempts)
        throw new DrawbridgeError('QueueError', 'SQS did not take every message of a batch: send them again.');
      const taken = await send(left);
      onTaken?.(left.filter((_, index) => taken.has(String(index))));
      left = left.filter((_, index) => !taken.has(String(index)));
    }
  }

  /** The ids of the messages that SQS confirms. It may not have the others. */
  async function send(texts: readonly string[]): Promise<ReadonlySet<string | undefined>> {
    const Entries = texts.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
    try {
      const { Successful = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
      return new Set(Successful.map(({ Id }) => Id));
    } catch (cause) {
      throw new DrawbridgeError('QueueError', 'SQS did not take a batch of messages: send them again.', { cause });
    }
  }

  return {
    sendAll: async (texts, onTaken) => {
      await mapConcurrent(batchesOf(texts), batchConcurrency, (batch) => sendBatch(batch, onTaken));
    },
  };
}

function batchesOf(texts: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(texts.length / batchSize) }, (_, index) =>
    texts.slice(index * batchSize, (index + 1) * batchSize),
  );
}
