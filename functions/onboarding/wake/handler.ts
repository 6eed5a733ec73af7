import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createBatchQueue } from '#shared/aws/queue.ts';
import { createListQuarantined } from '#shared/events/event-list.ts';
import { scanQuarantined } from '#shared/events/scan-events.ts';
import { invocationHandler } from '#shared/lambda/handler.ts';
import { type ProcessDeps, textVariable } from '#shared/lambda/lambda-process.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createMetrics, metricsVariables } from '#shared/lambda/metrics.ts';
import {
  createListErasures,
  createListOnboardings,
  createOnboardingStore,
} from '#shared/onboarding/onboarding-store.ts';
import { createGauges } from './gauges.ts';
import { createWake } from './wake.ts';

/** What the stacks put into the environment. */
export const variables = z.object({
  ...metricsVariables,
  ONBOARDINGS_TABLE: textVariable,
  EVENTS_TABLE: textVariable,
  ONBOARDING_QUEUE_URL: textVariable,
  /** How many settings have a stand-in for what only the operator of the platform knows. */
  STAND_INS: z._default(z.coerce.number(), 0),
});

type WakeHandlerDeps = Pick<ProcessDeps, 'now' | 'write'> & {
  readonly environment: z.infer<typeof variables>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
};

/** The event of the schedule of the gauges. Any other event sends the due onboardings. */
const gaugeRun = z.object({ publish: z.literal('gauges') });

/** In milliseconds. A run is asked to stop this long before its time limit, so that calls in progress can finish. */
const reserve = 15_000;

/** The handler of `wake`, as its entry exports it. */
export function createHandler({ environment, dynamodb, sqs, now, write }: WakeHandlerDeps) {
  const log = createLog({ write, now });
  const metrics = createMetrics({ write, now, environment: environment.ENVIRONMENT });
  const wake = createWake({
    store: createOnboardingStore({ dynamodb, tableName: environment.ONBOARDINGS_TABLE, now }),
    queue: createBatchQueue({ sqs, queueUrl: environment.ONBOARDING_QUEUE_URL }),
    now,
    log,
    metrics,
  });
  const ofEvents = { dynamodb, tableName: environment.EVENTS_TABLE, now };
  const ofOnboardings = { dynamodb, tableName: environment.ONBOARDINGS_TABLE, now };
  const publishGauges = createGauges({
    listQuarantined: createListQuarantined(ofEvents),
    quarantine: scanQuarantined(ofEvents, {}),
    listOnboardings: createListOnboardings(ofOnboardings),
    listErasures: createListErasures(ofOnboardings),
    standIns: environment.STAND_INS,
    now,
    log,
    metrics,
  });
  return invocationHandler(
    async (event, { signal }) => (z.safeParse(gaugeRun, event).success ? publishGauges() : wake(signal)),
    { log, metrics, reserve },
  );
}
