import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createRequest } from '#functions/onboarding/accept/accept-request.ts';
import { createQueue } from '#shared/aws/queue.ts';
import { createBus } from '#shared/bus/bus.ts';
import { settingsVariable, textVariable } from '#shared/lambda/env.ts';
import { invocationHandler } from '#shared/lambda/handler.ts';
import type { ProcessDeps } from '#shared/lambda/lambda-process.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createMetrics, metricsVariables } from '#shared/lambda/metrics.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { createRequestEvent } from './request-event.ts';

/** What the stacks put into the environment. */
export const variables = z.object({
  ...metricsVariables,
  ONBOARDINGS_TABLE: textVariable,
  ONBOARDING_QUEUE_URL: textVariable,
  EVENT_BUS: textVariable,
  ONBOARDING_SETTINGS: settingsVariable(onboardingSettings),
  PLATFORM_PROFILE: settingsVariable(platformProfile),
});

export type RequestEventHandlerDeps = Pick<ProcessDeps, 'now' | 'write'> & {
  readonly environment: z.infer<typeof variables>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly eventBridge: Pick<EventBridgeClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
  /** 32 hexadecimal digits. */
  readonly newSalt: () => string;
};

/**
 * The handler of `request-event`, as its entry exports it. A rule of the bus invokes it as it is: the event carries a
 * person, and no queue of ours may.
 */
export function createHandler({ environment, dynamodb, eventBridge, sqs, ...deps }: RequestEventHandlerDeps) {
  const { newSalt, now, write } = deps;
  const log = createLog({ write, now });
  const metrics = createMetrics({ write, now, environment: environment.ENVIRONMENT });
  const request = createRequest({
    store: createOnboardingStore({ dynamodb, tableName: environment.ONBOARDINGS_TABLE, now }),
    queue: createQueue({ sqs, queueUrl: environment.ONBOARDING_QUEUE_URL }),
    settings: environment.ONBOARDING_SETTINGS,
    profile: environment.PLATFORM_PROFILE,
    now,
    newSalt,
    log,
    metrics,
  });
  const { publish } = createBus({ eventBridge, busName: environment.EVENT_BUS });
  return invocationHandler(createRequestEvent({ request, publish }), { log, metrics });
}
