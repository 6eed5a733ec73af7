import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createBus } from '#shared/bus.ts';
import { createCommitEvent } from '#shared/commit-event.ts';
import { createEntityStore } from '#shared/entity-store.ts';
import { readEnvironment, settingsVariable, textVariable } from '#shared/env.ts';
import { createEventStore } from '#shared/event-store.ts';
import { batchHandler } from '#shared/handler.ts';
import { createLog } from '#shared/log.ts';
import { createMetrics } from '#shared/metrics.ts';
import { createOnboardingFinder } from '#shared/onboarding-finder.ts';
import { platformProfile } from '#shared/platform/profile.ts';
import { createQueue } from '#shared/queue.ts';
import { createStore } from './store.ts';
import { createTakeEffect } from './take-effect.ts';
import { createWakeOnboarding } from './wake-onboarding.ts';

const environment = readEnvironment(
  z.object({
    EVENTS_TABLE: textVariable,
    ENTITIES_TABLE: textVariable,
    EVENT_BUS: textVariable,
    ONBOARDINGS_TABLE: textVariable,
    ONBOARDING_QUEUE_URL: textVariable,
    EVENT_RETENTION_DAYS: z.coerce.number().check(z.int(), z.positive()),
    PLATFORM_PROFILE: settingsVariable(platformProfile),
  }),
  process.env,
);
const now = () => new Date();
const write = (line: string) => process.stdout.write(line);
const log = createLog({ write, now });
const metrics = createMetrics({ write, now });
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };
const dynamodb = new DynamoDBClient({ requestHandler });
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
    now,
    random: Math.random,
    wait: (milliseconds) => wait(milliseconds),
  }),
  eventStore,
  onboardings,
  bus: createBus({ eventBridge: new EventBridgeClient({ requestHandler }), busName: environment.EVENT_BUS }),
  wakeOnboarding: createWakeOnboarding({
    onboardings,
    queue: createQueue({ sqs: new SQSClient({ requestHandler }), queueUrl: environment.ONBOARDING_QUEUE_URL }),
  }),
  log,
  metrics,
});

export const handler = batchHandler(
  createStore({
    commitEvent: createCommitEvent({ eventStore, log, metrics }),
    eventStore,
    takeEffect,
    profile: environment.PLATFORM_PROFILE,
  }),
  { log, metrics },
);
