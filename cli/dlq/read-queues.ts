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

/** Counts the messages of queues. */
export async function readQueues<Name extends QueueName>(
  { clients, resources }: Pick<Deployment, 'clients' | 'resources'>,
  names: readonly Name[],
): Promise<readonly QueueStatus<Name>[]> {
  const { idOf } = await resources();
  return Promise.all(
    names.map(async (name) => {
      const { Attributes = {} } = await clients.sqs.send(
        new GetQueueAttributesCommand({
          QueueUrl: idOf('queue', name),
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
    }),
  );
}
