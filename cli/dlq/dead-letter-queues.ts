import { typedKeys } from '#cli/command/typed-keys.ts';
import type { QueueName } from '#cli/deployment/resource-names.ts';

/** The functions process the messages of these queues again: the queue that each is redriven to. */
export const redriveTargets = {
  WebhooksDlq: 'Webhooks',
  RequestsDlq: 'Requests',
  OnboardingDlq: 'Onboarding',
} as const satisfies Readonly<Partial<Record<QueueName, QueueName>>>;

export const redrivableQueues = typedKeys(redriveTargets);

export type RedrivableQueue = keyof typeof redriveTargets;

/** The messages of these queues are of no use: the next scheduled run does their work. */
export const purgeableQueues = ['TokenRefreshesDlq', 'MissedRuns'] as const satisfies readonly QueueName[];

export type DeadLetterQueueName = RedrivableQueue | (typeof purgeableQueues)[number];

/** The queues that hold what failed too often. */
export const deadLetterQueues: readonly DeadLetterQueueName[] = [...redrivableQueues, ...purgeableQueues];
