import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createCheckpoint } from '#shared/aws/checkpoint.ts';
import { createBatchGet } from '#shared/aws/dynamodb.ts';
import { createLaneMemory } from '#shared/aws/list/lanes.ts';
import { createBatchQueue } from '#shared/aws/queue.ts';
import { connectPlatform, platformVariables, skipBeforeFirstToken } from '#shared/connection/platform-connection.ts';
import { createEventStore, listVariables, retentionVariables } from '#shared/events/event-store.ts';
import { invocationHandler } from '#shared/lambda/handler.ts';
import { jsonVariable, type ProcessDeps, textVariable } from '#shared/lambda/lambda-process.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createMetrics, metricsVariables } from '#shared/lambda/metrics.ts';
import { connectPersonIndex, createCommitEvent, personVariables } from '#shared/persons/person-index.ts';
import type { PlatformFetch } from '#shared/platform/client/http.ts';
import { createVersionedSecret } from '#shared/secrets/versioned-secret.ts';
import { createWebhookSecretStore } from '#shared/secrets/webhook-secret.ts';
import { createCommitRecord, createReadKnown, knownAttributes } from './commit-record.ts';
import { createDrain } from './drain.ts';
import { drainProgress } from './drain-progress.ts';
import { createRecognizeOwn } from './undelivered-record.ts';

/** What the stacks put into the environment. */
export const variables = z.object({
  ...metricsVariables,
  ...platformVariables,
  EVENTS_TABLE: textVariable,
  ...personVariables,
  ...retentionVariables,
  CHECKPOINTS_TABLE: textVariable,
  QUEUE_URL: textVariable,
  WEBHOOKS_URL: textVariable,
  FORMER_WEBHOOKS_URLS: z.optional(jsonVariable(z.array(textVariable))),
  /** The webhook secret. */
  SECRET_ID: textVariable,
  LIST_EVENTS: listVariables.LIST_EVENTS,
  LIST_LANES: listVariables.LIST_LANES,
});

type DrainHandlerDeps = ProcessDeps & {
  readonly environment: z.infer<typeof variables>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly fetch: PlatformFetch;
};

/** The handler of `drain`, as its entry exports it. */
export function createHandler({ environment, dynamodb, write, ...deps }: DrainHandlerDeps) {
  const { now, random, wait, sqs, secretsManager } = deps;
  const log = createLog({ write, now });
  const metrics = createMetrics({ write, now, environment: environment.ENVIRONMENT });
  const eventStore = createEventStore({
    dynamodb,
    tableName: environment.EVENTS_TABLE,
    retentionDays: environment.EVENT_RETENTION_DAYS,
    unreadRetentionDays: environment.UNREAD_RETENTION_DAYS,
    listed: environment.LIST_EVENTS && {
      types: environment.PLATFORM_PROFILE.eventTypes,
      lanes: environment.LIST_LANES,
    },
    now,
  });
  const personIndex = connectPersonIndex(environment, { dynamodb, now });
  const lanesTable = { dynamodb, tableName: environment.CHECKPOINTS_TABLE };
  const { remember: rememberLanes } = createLaneMemory(lanesTable, environment.LIST_LANES);
  const secrets = createWebhookSecretStore(
    createVersionedSecret({ secretsManager, secretId: environment.SECRET_ID, now }),
  );
  const commitRecord = createCommitRecord({
    eventStore,
    readKnown: createReadKnown({
      batchGet: createBatchGet({
        dynamodb,
        random,
        wait,
        attributes: { [environment.EVENTS_TABLE]: knownAttributes },
      }),
      tableName: environment.EVENTS_TABLE,
      now,
    }),
    commitEvent: createCommitEvent({ eventStore, personIndex, rememberLanes, log, metrics }),
    queue: createBatchQueue({ sqs, queueUrl: environment.QUEUE_URL }),
    recognizeOwn: createRecognizeOwn({
      webhooksUrl: environment.WEBHOOKS_URL,
      formerWebhooksUrls: environment.FORMER_WEBHOOKS_URLS,
      readSecret: secrets.read,
      now,
    }),
    profile: environment.PLATFORM_PROFILE,
    now,
    log,
    metrics,
  });
  const connection = connectPlatform(environment, { ...deps, metrics });
  const drain = createDrain({
    client: connection,
    checkpoint: createCheckpoint({
      dynamodb,
      tableName: environment.CHECKPOINTS_TABLE,
      job: 'drain',
      schema: drainProgress,
    }),
    commitRecord,
    now,
    log,
    metrics,
  });
  // No list was read, and yet the run is not missing: the alarm DrainSilent stays off.
  const onSkipped = () => metrics.count('UndeliveredFound', 0);
  const run = skipBeforeFirstToken(drain, { connection, log, onSkipped });
  return invocationHandler((_, { signal }) => run(signal), { log, metrics });
}
