import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createBus } from '#shared/bus.ts';
import { createCommitEvent } from '#shared/commit-event.ts';
import { rulesWith } from '#shared/entities/entity-rules.ts';
import { createEntityStore } from '#shared/entity-store.ts';
import { settingsVariable, textVariable } from '#shared/env.ts';
import { createEventStore } from '#shared/event-store.ts';
import { batchHandler } from '#shared/handler.ts';
import type { ProcessDeps } from '#shared/lambda-process.ts';
import { createLog } from '#shared/log.ts';
import { createMetrics } from '#shared/metrics.ts';
import { createOnboardingFinder } from '#shared/onboarding-finder.ts';
import { platformProfile } from '#shared/platform/profile.ts';
import { createQueue } from '#shared/queue.ts';
import { createStore } from './store.ts';
import { createTakeEffect } from './take-effect.ts';
import { createWakeOnboarding } from './wake-onboarding.ts';

/** What the stacks put into the environment. */
export const variables = z.object({
  EVENTS_TABLE: textVariable,
  ENTITIES_TABLE: textVariable,
  EVENT_BUS: textVariable,
  ONBOARDINGS_TABLE: textVariable,
  ONBOARDING_QUEUE_URL: textVariable,
  EVENT_RETENTION_DAYS: z.coerce.number().check(z.int(), z.positive()),
  PLATFORM_PROFILE: settingsVariable(platformProfile),
});

export type StoreHandlerDeps = Pick<ProcessDeps, 'now' | 'random' | 'wait' | 'write'> & {
  readonly environment: z.infer<typeof variables>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly eventBridge: Pick<EventBridgeClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
};

/** The handler of `store`, as its entry exports it. */
export function createHandler({ environment, dynamodb, eventBridge, sqs, now, random, wait, write }: StoreHandlerDeps) {
  const log = createLog({ write, now });
  const metrics = createMetrics({ write, now });
  const eventStore = createEventStore({
    dynamodb,
    tableName: environment.EVENTS_TABLE,
    retentionDays: environment.EVENT_RETENTION_DAYS,
    now,
  });
  const onboardings = createOnboardingFinder({ dynamodb, tableName: environment.ONBOARDINGS_TABLE });
  const takeEffect = createTakeEffect({
    entityStore: createEntityStore({
      dynamodb,
      tableName: environment.ENTITIES_TABLE,
      rules: rulesWith(environment.PLATFORM_PROFILE.statuses),
      now,
      random,
      wait,
    }),
    eventStore,
    onboardings,
    bus: createBus({ eventBridge, busName: environment.EVENT_BUS }),
    wakeOnboarding: createWakeOnboarding({
      onboardings,
      queue: createQueue({ sqs, queueUrl: environment.ONBOARDING_QUEUE_URL }),
    }),
    log,
    metrics,
  });
  const store = createStore({
    commitEvent: createCommitEvent({ eventStore, log, metrics }),
    eventStore,
    takeEffect,
    profile: environment.PLATFORM_PROFILE,
  });
  return batchHandler(store, { log, metrics });
}
