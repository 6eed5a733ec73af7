import { typedKeys } from '#cli/command/typed-keys.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { formatAge } from '#cli/output/format-age.ts';
import { type QueueWithAge, readQueuesWithAges } from '#cli/status/read-queues-with-ages.ts';
import { maxQueueAgeSeconds } from '#shared/max-queue-age.ts';
import { type Found, good, problem } from './findings.ts';

/** Whether the functions keep up with their queues. @param now by the clock of the deployment */
export async function checkQueues(deployment: Deployment, now: Date): Promise<Found> {
  return evaluateQueues(await readQueuesWithAges(deployment, typedKeys(maxQueueAgeSeconds), now));
}

export function evaluateQueues(queues: readonly QueueWithAge[]): Found {
  const limits = new Map<string, number>(Object.entries(maxQueueAgeSeconds));
  const late = queues.filter(
    ({ name, oldestSeconds }) => (oldestSeconds ?? 0) > (limits.get(name) ?? Number.POSITIVE_INFINITY),
  );
  if (late.length === 0) return good(queues.map(describe).join(', '));
  return late.flatMap((queue) =>
    problem(`a function does not keep up: ${describe(queue)}`, 'drawbridge logs errors-by-function'),
  );
}

function describe({ name, waiting, inFlight, delayed, oldestSeconds }: QueueWithAge): string {
  const age = oldestSeconds === null ? '' : ` (oldest ${formatAge(oldestSeconds)})`;
  return `${name} holds ${waiting + inFlight + delayed}${age}`;
}
