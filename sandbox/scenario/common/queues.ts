import { type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { Host } from '#sandbox/aws/host.ts';
import { readQueueDepth } from '#sandbox/aws/services/sqs.ts';

export type Queues = {
  readonly blueprint: Pick<Host['blueprint'], 'queues'>;
  readonly clients: Pick<Host['clients'], 'sqs'>;
};

/** A queue that functions work on has a queue for dead letters, which has none itself. */
type QueueKind = 'work' | 'dead letters';

/** How long the inspected messages stay invisible to other receivers. */
const visibilityTimeoutSeconds = 60;

/** Counts the messages that wait in each queue of a kind or are in flight. */
export function countByQueue({ blueprint, clients }: Queues, kind: QueueKind) {
  return Promise.all(
    queuesOf(blueprint, kind).map(async ({ name, ref }) => {
      const { visible, inFlight } = await readQueueDepth(clients.sqs, ref);
      return { name, messages: visible + inFlight };
    }),
  );
}

/** Counts the messages that wait in all queues of a kind or are in flight. */
export async function countMessages(queues: Queues, kind: QueueKind): Promise<number> {
  const counted = await countByQueue(queues, kind);
  return counted.reduce((sum, { messages }) => sum + messages, 0);
}

/**
 * Reads the dead letters with all attributes and the names of their queues, without removing them. A group of a FIFO queue
 * shows at most ten.
 */
export async function peekAtDeadLetters({ blueprint, clients }: Queues) {
  const peeks = queuesOf(blueprint, 'dead letters').map(async ({ ref, name }) =>
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

function queuesOf({ queues }: Queues['blueprint'], kind: QueueKind): Queues['blueprint']['queues'] {
  return queues.filter(({ properties }) => (properties.RedrivePolicy === undefined) === (kind === 'dead letters'));
}
