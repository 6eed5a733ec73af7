import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createBus } from '#shared/bus.ts';
import { readEnvironment, settingsVariable, textVariable } from '#shared/env.ts';
import { invocationHandler } from '#shared/handler.ts';
import { createLog } from '#shared/log.ts';
import { createMetrics } from '#shared/metrics.ts';
import { onboardingSettings } from '#shared/onboarding-settings.ts';
import { createOnboardingStore } from '#shared/onboarding-store.ts';
import { createQueue } from '#shared/queue.ts';
import { createRequest } from './request.ts';
import { createRequestEvent } from './request-event.ts';

const environment = readEnvironment(
  z.object({
    ONBOARDINGS_TABLE: textVariable,
    ONBOARDING_QUEUE_URL: textVariable,
    EVENT_BUS: textVariable,
    ONBOARDING_SETTINGS: settingsVariable(onboardingSettings),
  }),
  process.env,
);
const now = () => new Date();
const write = (line: string) => process.stdout.write(line);
const log = createLog({ write, now });
const metrics = createMetrics({ write, now });
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };
/** Some four minutes: Lambda gives an event three tries in all, and nobody else has it. */
const maxAttempts = 25;
const bus = createBus({
  eventBridge: new EventBridgeClient({ requestHandler, maxAttempts }),
  busName: environment.EVENT_BUS,
});

const request = createRequest({
  store: createOnboardingStore({
    dynamodb: new DynamoDBClient({ requestHandler, maxAttempts }),
    tableName: environment.ONBOARDINGS_TABLE,
    now,
  }),
  queue: createQueue({
    sqs: new SQSClient({ requestHandler, maxAttempts }),
    queueUrl: environment.ONBOARDING_QUEUE_URL,
  }),
  settings: environment.ONBOARDING_SETTINGS,
  now,
  newSalt: () => randomBytes(16).toString('hex'),
  log,
  metrics,
});

// A rule of the bus invokes it as it is: the event carries a person, and no queue of ours may.
export const handler = invocationHandler(createRequestEvent({ request, publish: bus.publish }), { log, metrics });
