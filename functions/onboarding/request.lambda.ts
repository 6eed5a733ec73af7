import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { readEnvironment, settingsVariable, textVariable } from '#shared/env.ts';
import { httpHandler } from '#shared/handler.ts';
import { createLog } from '#shared/log.ts';
import { createMetrics } from '#shared/metrics.ts';
import { onboardingSettings } from '#shared/onboarding-settings.ts';
import { createOnboardingStore } from '#shared/onboarding-store.ts';
import { createQueue } from '#shared/queue.ts';
import { createOnboardingApi } from './onboarding-api.ts';
import { createOperate } from './operate.ts';
import { createRequest } from './request.ts';

const environment = readEnvironment(
  z.object({
    ONBOARDINGS_TABLE: textVariable,
    ONBOARDING_QUEUE_URL: textVariable,
    ONBOARDING_SETTINGS: settingsVariable(onboardingSettings),
  }),
  process.env,
);
const now = () => new Date();
const write = (line: string) => process.stdout.write(line);
const log = createLog({ write, now });
const metrics = createMetrics({ write, now });
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };
const store = createOnboardingStore({
  dynamodb: new DynamoDBClient({ requestHandler }),
  tableName: environment.ONBOARDINGS_TABLE,
  now,
});
const queue = createQueue({ sqs: new SQSClient({ requestHandler }), queueUrl: environment.ONBOARDING_QUEUE_URL });
const settings = environment.ONBOARDING_SETTINGS;
const newSalt = () => randomBytes(16).toString('hex');

const answer = createOnboardingApi({
  request: createRequest({ store, queue, settings, now, newSalt, log, metrics }),
  operate: createOperate({ store, queue, settings, now }),
  store,
});

export const handler = httpHandler(async (event) => {
  try {
    return await answer(event);
  } finally {
    metrics.flush();
  }
}, log);
