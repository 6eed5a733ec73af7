import { type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { Host } from '#sandbox/aws/host.ts';
import { readQueueDepth } from '#sandbox/aws/services/sqs.ts';

export type Queues = {
  readonly blueprint: Pick<Host['blueprint'], 'queues'>;
  readonly clients: Pick<Host['clients'], 'sqs'>;
};

/** How long the inspected messages stay invisible to other receivers. */
const visibilityTimeoutSeconds = 60;

/** Counts the messages in the dead-letter queues. */
export async function countDeadLetters({ blueprint, clients }: Queues): Promise<number> {
  const depths = await Promise.all(deadLetterQueues(blueprint).map(({ ref }) => readQueueDepth(clients.sqs, ref)));
  return depths.reduce((sum, { visible }) => sum + visible, 0);
}

/**
 * Reads the dead letters with all attributes and the names of their queues, without removing them. A group of a FIFO queue
 * shows at most ten.
 */
export async function peekAtDeadLetters({ blueprint, clients }: Queues) {
  const peeks = deadLetterQueues(blueprint).map(async ({ ref, name }) =>
    (await peekAt(ref, clients)).map((message) => ({ queue: name, text: JSON.stringify(message) })),
  );
  return (await Promise.all(peeks)).flat();
}

async function peekAt(QueueUrl: string, { sqs }: Queues['clients']): Promise<readonly Message[]> {
  const found: Message[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: visibilityTimeoutSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    if (Messages.length === 0) return found;
    found.push(...Messages);
  }
}

function deadLetterQueues({ queues }: Queues['blueprint']): Queues['blueprint']['queues'] {
  return queues.filter(({ properties }) => properties.RedrivePolicy === undefined);
}
