import type { Deployment } from '#cli/deployment/deployment.ts';
import { formatAge } from '#cli/output/format-age.ts';
import { type QueueWithAge, readQueuesWithAges } from '#cli/status/read-queues-with-ages.ts';
import { maxQueueAgeSeconds } from '#shared/max-queue-age.ts';
import { type Found, good, problem } from './findings.ts';

const workQueues = [
  'Webhooks',
  'Requests',
  'Onboarding',
  'TokenRefreshes',
] as const satisfies readonly (keyof typeof maxQueueAgeSeconds)[];

/** Whether the functions keep up with their queues. @param now by the clock of the deployment */
export async function checkQueues(deployment: Deployment, now: Date): Promise<Found> {
  return evaluateQueues(await readQueuesWithAges(deployment, workQueues, now));
}

export function evaluateQueues(queues: readonly QueueWithAge[]): Found {
  const limitOf = (name: string) => Object.entries(maxQueueAgeSeconds).find(([queue]) => queue === name)?.[1];
  const late = queues.filter(({ name, oldestSeconds }) => {
    const limit = limitOf(name);
    return limit !== undefined && oldestSeconds !== null && oldestSeconds > limit;
  });
  if (late.length === 0) return good(queues.map(describe).join(', '));
  return late.flatMap((queue) =>
    problem(`a function does not keep up: ${describe(queue)}`, 'drawbridge logs errors-by-function'),
  );
}

function describe({ name, waiting, inFlight, delayed, oldestSeconds }: QueueWithAge): string {
  const age = oldestSeconds === null ? '' : ` (oldest ${formatAge(oldestSeconds)})`;
  return `${name} holds ${waiting + inFlight + delayed}${age}`;
}
