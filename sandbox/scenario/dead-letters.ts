import { type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { Host } from '#sandbox/aws/host.ts';
import { readQueueDepth } from '#sandbox/aws/services/sqs.ts';

export type Queues = {
  readonly blueprint: Pick<Host['blueprint'], 'queues'>;
  readonly clients: Pick<Host['clients'], 'sqs'>;
};

/** In seconds: for so long nobody else sees what is being looked at. */
const whileLookedAt = 60;

/** How many messages the dead-letter queues hold. */
export async function countDeadLetters({ blueprint, clients }: Queues): Promise<number> {
  const depths = await Promise.all(deadLetterQueues(blueprint).map(({ ref }) => readQueueDepth(clients.sqs, ref)));
  return depths.reduce((sum, { visible }) => sum + visible, 0);
}

/**
 * What they are, attributes and all, with the names of their queues; of one group of a FIFO queue ten at the most. They stay
 * where they are.
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
        VisibilityTimeout: whileLookedAt,
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
