import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';

export type Queue = {
  /** Resolves once SQS has the message. @throws {QueueError} when it may not have it */
  readonly send: (text: string) => Promise<void>;
};

export type QueueDeps = {
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly queueUrl: string;
  /** For a FIFO queue: messages of a group are worked on one after the other. */
  readonly messageGroup?: string;
};

/** SQS did not confirm a message: the sender must keep it. */
export class QueueError extends DrawbridgeError {
  override readonly name = 'QueueError';
}

export function createQueue({ sqs, queueUrl, messageGroup }: QueueDeps): Queue {
  async function send(text: string): Promise<void> {
    const { MessageId } = await confirmed(text);
    if (MessageId === undefined) throw new QueueError('SQS answered without a message id: send the message again.');
  }

  async function confirmed(text: string) {
    try {
      return await sqs.send(
        new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: text, MessageGroupId: messageGroup }),
      );
    } catch (cause) {
      throw new QueueError('SQS did not take the message: send it again.', { cause });
    }
  }

  return { send };
}
