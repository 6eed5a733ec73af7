import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createAcceptRequest } from '#functions/onboarding/accept/accept-request.ts';
import { createQueue } from '#shared/aws/queue.ts';
import { createBus } from '#shared/bus/bus.ts';
import { type BatchAnswer, batchHandler, invocationHandler } from '#shared/lambda/handler.ts';
import { type ProcessDeps, settingsVariable, textVariable } from '#shared/lambda/lambda-process.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createMetrics, metricsVariables } from '#shared/lambda/metrics.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { parseJson } from '#shared/parse-json.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { createRequestEvent, isEvent } from './request-event.ts';

/** What the stacks put into the environment. */
export const variables = z.object({
  ...metricsVariables,
  ONBOARDINGS_TABLE: textVariable,
  ONBOARDING_QUEUE_URL: textVariable,
  EVENT_BUS: textVariable,
  ONBOARDING_SETTINGS: settingsVariable(onboardingSettings),
  PLATFORM_PROFILE: settingsVariable(platformProfile),
});

type RequestEventHandlerDeps = Pick<ProcessDeps, 'now' | 'write'> & {
  readonly environment: z.infer<typeof variables>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly eventBridge: Pick<EventBridgeClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
  /** 32 hexadecimal digits. */
  readonly newSalt: () => string;
};

/** The handler of `request-event`, as its entry exports it. */
export function createHandler({ environment, dynamodb, eventBridge, sqs, ...deps }: RequestEventHandlerDeps) {
  const { newSalt, now, write } = deps;
  const log = createLog({ write, now });
  const metrics = createMetrics({ write, now, environment: environment.ENVIRONMENT });
  const request = createAcceptRequest({
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
  const accept = createRequestEvent({ request, publish });
  const acceptBatch = batchHandler((message) => accept(parseJson(message)), { log, metrics });
  // Until 0.4.0: Lambda can still have events that the rule of release 0.2.0 handed to it.
  const acceptEvent = invocationHandler(accept, { log, metrics });
  return async (input: unknown, context: Parameters<typeof acceptBatch>[1]): Promise<BatchAnswer | undefined> => {
    if (!isEvent(input)) return acceptBatch(input, context);
    await acceptEvent(input, context);
    return undefined;
  };
}
