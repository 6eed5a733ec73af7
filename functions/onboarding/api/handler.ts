import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createAcceptRequest } from '#functions/onboarding/accept/accept-request.ts';
import { createQueue } from '#shared/aws/queue.ts';
import { httpHandler } from '#shared/lambda/http-api.ts';
import { type ProcessDeps, settingsVariable, textVariable } from '#shared/lambda/lambda-process.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createMetrics, metricsVariables } from '#shared/lambda/metrics.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { createListOnboardings, createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { createOperate } from './operate-onboarding.ts';
import { createOnboardingApi } from './routes.ts';

/** What the stacks put into the environment. */
export const variables = z.object({
  ...metricsVariables,
  ONBOARDINGS_TABLE: textVariable,
  ONBOARDING_QUEUE_URL: textVariable,
  ONBOARDING_SETTINGS: settingsVariable(onboardingSettings),
  PLATFORM_PROFILE: settingsVariable(platformProfile),
});

type ApiHandlerDeps = Pick<ProcessDeps, 'now' | 'write'> & {
  readonly environment: z.infer<typeof variables>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
  /** 32 hexadecimal digits. */
  readonly newSalt: () => string;
};

/** The handler of `api`, as its entry exports it. */
export function createHandler({ environment, dynamodb, sqs, newSalt, now, write }: ApiHandlerDeps) {
  const log = createLog({ write, now });
  const metrics = createMetrics({ write, now, environment: environment.ENVIRONMENT });
  const store = createOnboardingStore({ dynamodb, tableName: environment.ONBOARDINGS_TABLE, now });
  const queue = createQueue({ sqs, queueUrl: environment.ONBOARDING_QUEUE_URL });
  const settings = environment.ONBOARDING_SETTINGS;
  const answer = createOnboardingApi({
    request: createAcceptRequest({
      store,
      queue,
      settings,
      profile: environment.PLATFORM_PROFILE,
      now,
      newSalt,
      log,
      metrics,
    }),
    operate: createOperate({ store, queue, settings, now, log }),
    store,
    list: createListOnboardings({ dynamodb, tableName: environment.ONBOARDINGS_TABLE, now }),
  });
  return httpHandler(answer, { log, metrics });
}
