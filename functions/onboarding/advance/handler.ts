import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createBus } from '#shared/bus/bus.ts';
import { connectPlatform, platformVariables } from '#shared/connection/platform-connection.ts';
import { batchHandler } from '#shared/lambda/handler.ts';
import { type ProcessDeps, settingsVariable, textVariable } from '#shared/lambda/lambda-process.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createVersionMetrics, metricsVariables, versionVariables } from '#shared/lambda/metrics.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import type { PlatformFetch } from '#shared/platform/client/http.ts';
import { createAdvance } from './advance.ts';
import { createMakeCall } from './make-call.ts';
import { platformWords } from './platform-answers.ts';
import { createReadForStep, createReadReasons } from './read-for-step.ts';

/** What the stacks put into the environment. */
export const variables = z.object({
  ...metricsVariables,
  ...versionVariables,
  ...platformVariables,
  ONBOARDINGS_TABLE: textVariable,
  ENTITIES_TABLE: textVariable,
  EVENT_BUS: textVariable,
  ONBOARDING_SETTINGS: settingsVariable(onboardingSettings),
});

type AdvanceHandlerDeps = ProcessDeps & {
  readonly environment: z.infer<typeof variables>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly eventBridge: Pick<EventBridgeClient, 'send'>;
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly fetch: PlatformFetch;
};

/** The handler of `advance`, as its entry exports it. */
export function createHandler({ environment, dynamodb, eventBridge, write, ...deps }: AdvanceHandlerDeps) {
  const { now, random, traceId } = deps;
  const settings = environment.ONBOARDING_SETTINGS;
  const log = createLog({ write, now, traceId });
  const metrics = createVersionMetrics(environment, { write, now });
  const client = connectPlatform(environment, { ...deps, metrics });
  const words = platformWords(client.profile, settings);
  const readReasons = createReadReasons({ dynamodb, tableName: environment.ENTITIES_TABLE });
  const advance = createAdvance({
    store: createOnboardingStore({ dynamodb, tableName: environment.ONBOARDINGS_TABLE, now }),
    readForStep: createReadForStep({ client, settings, words, readReasons, now }),
    makeCall: createMakeCall({ client, settings, now }),
    words,
    readReasons,
    settings,
    publish: createBus({ eventBridge, busName: environment.EVENT_BUS }).publish,
    now,
    random,
    log,
    metrics,
  });
  return batchHandler(advance, { log, metrics });
}
