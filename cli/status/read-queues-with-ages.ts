import type { Deployment } from '#cli/deployment/deployment.ts';
import type { QueueName } from '#cli/deployment/resource-names.ts';
import { type QueueStatus, readQueues } from '#cli/dlq/read-queues.ts';
import { afterMinuteOf, queueMetric, readValues } from './metric-query.ts';

/** `oldestSeconds` is how long the oldest message has waited: null in an empty queue, and if SQS has measured nothing yet. */
export type QueueWithAge = QueueStatus & { readonly oldestSeconds: number | null };

/** In seconds: SQS measures a queue every minute, and its metrics are a few minutes late. */
const within = 600;

/** Counts the messages of queues, and reads how long the oldest have waited. @param now by the clock of the deployment */
export async function readQueuesWithAges(
  deployment: Pick<Deployment, 'clients' | 'resources'>,
  names: readonly QueueName[],
  now: Date,
): Promise<readonly QueueWithAge[]> {
  const resources = await deployment.resources();
  // CloudWatch wants a small letter first.
  const idFor = (name: QueueName) => `age${name}`;
  const [queues, valuesOf] = await Promise.all([
    readQueues(deployment, names),
    readValues(
      deployment.clients,
      names.map((name) => queueMetric(idFor(name), resources, name, 'ApproximateAgeOfOldestMessage')),
      { from: now.getTime() - within * 1_000, until: afterMinuteOf(now) },
    ),
  ]);
  return queues.map((queue) => {
    // The metric is older than the count.
    const isEmpty = queue.waiting + queue.inFlight + queue.delayed === 0;
    return { ...queue, oldestSeconds: isEmpty ? null : (valuesOf(idFor(queue.name))[0]?.value ?? null) };
  });
}
