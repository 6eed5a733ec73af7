import { maxReceiveCountOf } from '#infra/parts/max-receive-count.ts';
import { checkpointKeys } from '#shared/aws/checkpoint.ts';
import { entityKeys } from '#shared/entities/entity-row.ts';
import { eventKeys } from '#shared/events/event-row.ts';
import { onboardingKeys } from '#shared/onboarding/onboarding-keys.ts';
import { personKeys } from '#shared/persons/person-index.ts';
import type { TableKeys } from './aws/dynamodb-table.ts';
import type { QueueProperties } from './aws/sqs-queue.ts';

/** The part of the stacks that the simulation needs. `declared.test.ts` compares it with the stacks. */

export const simulatedTables = {
  events: {
    partition: eventKeys.partition,
    indexes: [eventKeys.quarantine, eventKeys.listed, eventKeys.received].map((keys) => ({
      ...keys,
      includes: ['eventType', 'quarantineReason', eventKeys.timeToLive],
    })),
  },
  entities: {
    partition: entityKeys.partition,
    sort: entityKeys.sort,
    indexes: [
      { ...entityKeys.due, includes: [] },
      {
        index: entityKeys.readBack.index,
        partition: entityKeys.readBack.partition,
        sort: entityKeys.readBack.sort,
        includes: [],
      },
      { ...entityKeys.listed, includes: entityKeys.listed.holds },
    ],
  },
  onboardings: {
    partition: onboardingKeys.partition,
    indexes: [
      { ...onboardingKeys.due, includes: [] },
      { ...onboardingKeys.person, includes: onboardingKeys.person.holds },
      { ...onboardingKeys.verification, includes: [] },
      { ...onboardingKeys.listed, includes: onboardingKeys.listed.holds },
    ],
  },
  checkpoints: { partition: checkpointKeys.partition },
  persons: { partition: personKeys.partition, sort: personKeys.sort },
} satisfies Record<string, TableKeys>;

const withRedrive = (visibilityTimeout: number, deadLetterQueue: string) => ({
  visibilityTimeout,
  redrive: { deadLetterQueue, maxReceiveCount: maxReceiveCountOf(visibilityTimeout) },
});

export const simulatedQueues = {
  webhooks: withRedrive(180, 'webhooks-dlq'),
  'webhooks-dlq': { visibilityTimeout: 30 },
  requests: withRedrive(180, 'requests-dlq'),
  'requests-dlq': { visibilityTimeout: 30 },
  'token-refreshes': { isFifo: true, ...withRedrive(120, 'token-refreshes-dlq') },
  onboarding: withRedrive(720, 'onboarding-dlq'),
  'onboarding-dlq': { visibilityTimeout: 30 },
  'token-refreshes-dlq': { visibilityTimeout: 30, isFifo: true },
} satisfies Record<string, QueueProperties>;

/** In seconds: the timeout of each function. */
export const functionTimeouts = {
  receive: 10,
  store: 30,
  refresh: 20,
  drain: 60,
  register: 120,
  reconcile: 900,
  replay: 300,
  api: 10,
  'request-event': 30,
  'update-person': 29,
  'erase-person': 29,
  advance: 120,
  wake: 60,
} as const;

export type FunctionName = keyof typeof functionTimeouts;

/** The batch size of each function with a queue. */
export const batchSizes = { store: 10, 'request-event': 10, refresh: 1, advance: 5 } as const;
