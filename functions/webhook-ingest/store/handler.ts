import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createBatchGet } from '#shared/aws/dynamodb.ts';
import { createLaneMemory } from '#shared/aws/list/lanes.ts';
import { createQueue } from '#shared/aws/queue.ts';
import { createBus } from '#shared/bus/bus.ts';
import { connectStores, storeVariables } from '#shared/events/connect-stores.ts';
import { wholeBatchHandler } from '#shared/lambda/handler.ts';
import { jsonVariable, type ProcessDeps, textVariable } from '#shared/lambda/lambda-process.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createVersionMetrics, metricsVariables, versionVariables } from '#shared/lambda/metrics.ts';
import { createOnboardingFinder } from '#shared/onboarding/onboarding-finder.ts';
import { createEraseEvent, createErasePersonEvents, createFindPerson } from '#shared/persons/person-events.ts';
import { connectPersonIndex, createCommitEvent, personVariables } from '#shared/persons/person-index.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';
import { createFindErased, createWakeOnboarding, erasureAttributes } from './apply-event.ts';
import { createStoreBatch } from './store-batch.ts';

/** The kinds of entities for which late statuses are published, too. Empty without the variable. */
const reportedKinds = z.prefault(jsonVariable(z.array(z.enum(entityKinds))), '[]');

/** What the stacks put into the environment. */
export const variables = z.object({
  ...metricsVariables,
  ...versionVariables,
  ...storeVariables,
  ...personVariables,
  EVENT_BUS: textVariable,
  CHECKPOINTS_TABLE: textVariable,
  ONBOARDINGS_TABLE: textVariable,
  ONBOARDING_QUEUE_URL: textVariable,
  STATUS_REPORTS: reportedKinds,
});

export type StoreHandlerDeps = Omit<ProcessDeps, 'timeout'> & {
  readonly environment: z.infer<typeof variables>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly eventBridge: Pick<EventBridgeClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
};

/** The handler of `store`, as its entry exports it. */
export function createHandler({ environment, dynamodb, eventBridge, sqs, ...deps }: StoreHandlerDeps) {
  const { now, random, wait, write, peakMemory, traceId } = deps;
  const log = createLog({ write, now, traceId });
  const metrics = createVersionMetrics(environment, { write, now, peakMemory });
  const { eventStore, entityStore } = connectStores(environment, { dynamodb, now, random, wait });
  const personIndex = connectPersonIndex(environment, { dynamodb, now });
  const lanesTable = { dynamodb, tableName: environment.CHECKPOINTS_TABLE };
  const { remember: rememberLanes } = createLaneMemory(lanesTable, environment.LIST_LANES);
  const profile = environment.PLATFORM_PROFILE;
  const findPerson = createFindPerson({ personIndex, eventStore, profile });
  const onboardings = createOnboardingFinder({ dynamodb, tableName: environment.ONBOARDINGS_TABLE });
  const store = createStoreBatch({
    commitEvent: createCommitEvent({ eventStore, personIndex, rememberLanes, log, metrics }),
    eventStore,
    personIndex,
    erasePersonEvents: createErasePersonEvents({
      findPerson,
      eraseEvent: createEraseEvent({ personIndex, eventStore, profile }),
      entityStore,
      eventStore,
    }),
    entityStore,
    findErased: createFindErased({
      batchGet: createBatchGet({
        dynamodb,
        random,
        wait,
        attributes: { [environment.ONBOARDINGS_TABLE]: erasureAttributes },
      }),
      entitiesTable: environment.ENTITIES_TABLE,
      onboardingsTable: environment.ONBOARDINGS_TABLE,
    }),
    reportedKinds: environment.STATUS_REPORTS,
    bus: createBus({ eventBridge, busName: environment.EVENT_BUS }),
    wakeOnboarding: createWakeOnboarding({
      onboardings,
      queue: createQueue({ sqs, queueUrl: environment.ONBOARDING_QUEUE_URL }),
    }),
    profile,
    now,
    log,
    metrics,
  });
  return wholeBatchHandler(store, { log, metrics });
}
