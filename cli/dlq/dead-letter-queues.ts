import { Argument } from 'commander';
import type { QueueName } from '#cli/deployment/resource-names.ts';

/** The queues that hold what failed too often. */
export const deadLetterQueues = [
  'WebhooksDlq',
  'OnboardingDlq',
  'TokenRefreshesDlq',
  'MissedRuns',
] as const satisfies readonly QueueName[];

export type DeadLetterQueueName = (typeof deadLetterQueues)[number];

export function queueArgument(names: readonly DeadLetterQueueName[] = deadLetterQueues): Argument {
  return new Argument('<queue>', 'the dead-letter queue').choices([...names]);
}
