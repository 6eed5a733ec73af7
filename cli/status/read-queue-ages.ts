import type { Deployment } from '#cli/deployment/deployment.ts';
import type { QueueName } from '#cli/deployment/resource-names.ts';
import { afterMinuteOf, queueMetric, readValues } from './metric-query.ts';

/** In seconds: SQS measures a queue every minute, and its metrics are a few minutes late. */
const within = 600;

/**
 * How long the oldest message of each queue has waited, in seconds. Null if SQS has measured nothing in the last minutes.
 *
 * @param now by the clock of the deployment
 * @throws what CloudWatch answers with
 */
export async function readQueueAges(
  { clients, resources }: Pick<Deployment, 'clients' | 'resources'>,
  names: readonly QueueName[],
  now: Date,
): Promise<ReadonlyMap<QueueName, number | null>> {
  const found = await resources();
  const valuesOf = await readValues(
    clients,
    names.map((name) => queueMetric(idFor(name), found, name, 'ApproximateAgeOfOldestMessage')),
    { from: now.getTime() - within * 1_000, until: afterMinuteOf(now) },
  );
  return new Map(names.map((name) => [name, valuesOf(idFor(name))[0]?.value ?? null]));
}

/** CloudWatch wants a small letter first. */
function idFor(name: QueueName): string {
  return `age${name}`;
}
