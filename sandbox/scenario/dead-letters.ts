import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { Host } from '#sandbox/aws/host.ts';
import { readQueueDepth } from '#sandbox/aws/services/sqs.ts';

type Queues = Pick<Host, 'blueprint' | 'clients'>;

/** How many messages the dead-letter queues hold. */
export async function countDeadLetters({ blueprint, clients }: Queues): Promise<number> {
  const depths = await Promise.all(deadLetterQueues(blueprint).map(({ ref }) => readQueueDepth(clients.sqs, ref)));
  return depths.reduce((sum, { visible }) => sum + visible, 0);
}

/** What some of them are, attributes and all, with the names of their queues. They stay where they are. */
export async function peekAtDeadLetters({ blueprint, clients }: Queues) {
  const peeks = deadLetterQueues(blueprint).map(async ({ ref: QueueUrl, name }) => {
    const { Messages = [] } = await clients.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 0,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    return Messages.map((message) => ({ queue: name, text: JSON.stringify(message) }));
  });
  return (await Promise.all(peeks)).flat();
}

function deadLetterQueues({ queues }: Queues['blueprint']): Queues['blueprint']['queues'] {
  return queues.filter(({ properties }) => properties.RedrivePolicy === undefined);
}
