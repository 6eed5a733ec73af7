import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { Deployment } from '#cli/deployment/deployment.ts';
import type { QueueName } from '#cli/deployment/resource-names.ts';

/** How many messages a queue holds: those that wait, those that a function works on, and those that are delayed. */
export type QueueStatus<Name extends QueueName = QueueName> = {
  readonly name: Name;
  readonly waiting: number;
  readonly inFlight: number;
  readonly delayed: number;
};

/** Counts the messages of a queue. */
export async function readQueue<Name extends QueueName>(
  { clients, resources }: Pick<Deployment, 'clients' | 'resources'>,
  name: Name,
): Promise<QueueStatus<Name>> {
  const { Attributes = {} } = await clients.sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: (await resources()).idOf('queue', name),
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'ApproximateNumberOfMessagesDelayed',
      ],
    }),
  );
  return {
    name,
    waiting: Number(Attributes.ApproximateNumberOfMessages ?? 0),
    inFlight: Number(Attributes.ApproximateNumberOfMessagesNotVisible ?? 0),
    delayed: Number(Attributes.ApproximateNumberOfMessagesDelayed ?? 0),
  };
}

/** Counts the messages of queues. */
export function readQueues<Name extends QueueName>(
  deployment: Pick<Deployment, 'clients' | 'resources'>,
  names: readonly Name[],
): Promise<readonly QueueStatus<Name>[]> {
  return Promise.all(names.map((name) => readQueue(deployment, name)));
}
