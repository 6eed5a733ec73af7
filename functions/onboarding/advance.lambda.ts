import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createBus } from '#shared/bus.ts';
import { readEnvironment, settingsVariable, textVariable } from '#shared/env.ts';
import { batchHandler } from '#shared/handler.ts';
import { createLog } from '#shared/log.ts';
import { createMetrics } from '#shared/metrics.ts';
import { onboardingSettings } from '#shared/onboarding-settings.ts';
import { createOnboardingStore } from '#shared/onboarding-store.ts';
import { connectPlatform, platformVariables } from '#shared/platform-connection.ts';
import { createPlatformFetch } from '#shared/platform-fetch.ts';
import { createQueue } from '#shared/queue.ts';
import { createAdvance } from './advance.ts';
import { createLook } from './look.ts';
import { createMakeCall } from './make-call.ts';

const environment = readEnvironment(
  z.object({
    ...platformVariables,
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
const sqs = new SQSClient({ requestHandler });
const settings = environment.ONBOARDING_SETTINGS;
const bus = createBus({ eventBridge: new EventBridgeClient({ requestHandler }), busName: environment.EVENT_BUS });
const client = connectPlatform(environment, {
  secretsManager: new SecretsManagerClient({ requestHandler }),
  sqs,
  fetch: createPlatformFetch(),
  now,
  random: Math.random,
  wait: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
  timeout: AbortSignal.timeout,
});

const advance = createAdvance({
  store: createOnboardingStore({
    dynamodb: new DynamoDBClient({ requestHandler }),
    tableName: environment.ONBOARDINGS_TABLE,
    now,
  }),
  look: createLook({ client, settings, now }),
  makeCall: createMakeCall({ client, settings, now }),
  settings,
  publish: bus.publish,
  queue: createQueue({ sqs, queueUrl: environment.ONBOARDING_QUEUE_URL }),
  now,
  log,
  metrics,
});

export const handler = batchHandler(advance, { log, metrics });
