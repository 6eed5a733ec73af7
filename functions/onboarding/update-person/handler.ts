import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { connectPlatform, platformVariables } from '#shared/connection/platform-connection.ts';
import { httpHandler } from '#shared/lambda/http-api.ts';
import { type ProcessDeps, settingsVariable, textVariable } from '#shared/lambda/lambda-process.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createMetrics, metricsVariables } from '#shared/lambda/metrics.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import type { PlatformFetch } from '#shared/platform/client/http.ts';
import { createUpdatePerson, updateDeadlineMs } from './update-person.ts';

/** What the stacks put into the environment. */
export const variables = z.object({
  ...metricsVariables,
  ...platformVariables,
  ONBOARDINGS_TABLE: textVariable,
  ONBOARDING_SETTINGS: settingsVariable(onboardingSettings),
});

type UpdatePersonHandlerDeps = ProcessDeps & {
  readonly environment: z.infer<typeof variables>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly fetch: PlatformFetch;
};

/** The handler of `update-person`, as its entry exports it. */
export function createHandler({ environment, dynamodb, write, ...deps }: UpdatePersonHandlerDeps) {
  const { now } = deps;
  const log = createLog({ write, now });
  const metrics = createMetrics({ write, now, environment: environment.ENVIRONMENT });
  return httpHandler(
    createUpdatePerson({
      store: createOnboardingStore({ dynamodb, tableName: environment.ONBOARDINGS_TABLE, now }),
      client: connectPlatform(environment, { ...deps, metrics }),
      settings: environment.ONBOARDING_SETTINGS,
      now,
      deadlineMs: updateDeadlineMs,
      log,
    }),
    { log, metrics, failed: 'The platform did not confirm the update.' },
  );
}
