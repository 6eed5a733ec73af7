import type { Deployment } from '#cli/deployment/deployment.ts';
import type { QueueName } from '#cli/deployment/resource-names.ts';
import { type QueueStatus, readQueues } from '#cli/dlq/read-queues.ts';
import { readQueueAges } from './read-queue-ages.ts';

/** `oldestSeconds` is how long the oldest message has waited: null in an empty queue, and where SQS has measured nothing yet. */
export type QueueWithAge = QueueStatus & { readonly oldestSeconds: number | null };

/** Counts the messages of queues, and reads how long the oldest have waited. @param now by the clock of the deployment */
export async function readQueuesWithAges(
  deployment: Pick<Deployment, 'clients' | 'resources'>,
  names: readonly QueueName[],
  now: Date,
): Promise<readonly QueueWithAge[]> {
  const [queues, ages] = await Promise.all([readQueues(deployment, names), readQueueAges(deployment, names, now)]);
  return queues.map((queue) => {
    // The metric is older than the count.
    const isEmpty = queue.waiting + queue.inFlight + queue.delayed === 0;
    return { ...queue, oldestSeconds: isEmpty ? null : (ages.get(queue.name) ?? null) };
  });
}
