import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { readEnvironment, settingsVariable, textVariable } from '#shared/env.ts';
import { httpHandler } from '#shared/handler.ts';
import { createLog } from '#shared/log.ts';
import { onboardingSettings } from '#shared/onboarding-settings.ts';
import { createOnboardingStore } from '#shared/onboarding-store.ts';
import { connectPlatform, platformVariables } from '#shared/platform-connection.ts';
import { createPlatformFetch } from '#shared/platform-fetch.ts';
import { createUpdatePerson, updatePatience } from './update-person.ts';

const environment = readEnvironment(
  z.object({
    ...platformVariables,
    ONBOARDINGS_TABLE: textVariable,
    ONBOARDING_SETTINGS: settingsVariable(onboardingSettings),
  }),
  process.env,
);
const now = () => new Date();
const log = createLog({ write: (line) => process.stdout.write(line), now });
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };

export const handler = httpHandler(
  createUpdatePerson({
    store: createOnboardingStore({
      dynamodb: new DynamoDBClient({ requestHandler }),
      tableName: environment.ONBOARDINGS_TABLE,
      now,
    }),
    client: connectPlatform(environment, {
      secretsManager: new SecretsManagerClient({ requestHandler }),
      sqs: new SQSClient({ requestHandler }),
      fetch: createPlatformFetch(),
      now,
      random: Math.random,
      wait: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
      timeout: AbortSignal.timeout,
    }),
    settings: environment.ONBOARDING_SETTINGS,
    now,
    patience: updatePatience,
    log,
  }),
  log,
  'Not taken by the platform, as far as is known. Send it again: the same update twice does no more than once.',
);
