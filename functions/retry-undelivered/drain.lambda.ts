import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createBatchQueue } from '#shared/batch-queue.ts';
import { createCheckpoint } from '#shared/checkpoint.ts';
import { createCommitEvent } from '#shared/commit-event.ts';
import { readEnvironment, textVariable } from '#shared/env.ts';
import { createEventStore } from '#shared/event-store.ts';
import { invocationHandler } from '#shared/handler.ts';
import { createLog } from '#shared/log.ts';
import { createMetrics } from '#shared/metrics.ts';
import { connectPlatform, platformVariables } from '#shared/platform-connection.ts';
import { createPlatformFetch } from '#shared/platform-fetch.ts';
import { createDrain } from './drain.ts';
import { drainProgress } from './drain-progress.ts';
import { createTakeIn } from './take-in.ts';

const environment = readEnvironment(
  z.object({
    ...platformVariables,
    EVENTS_TABLE: textVariable,
    EVENT_RETENTION_DAYS: z.coerce.number().check(z.int(), z.positive()),
    CHECKPOINTS_TABLE: textVariable,
    QUEUE_URL: textVariable,
  }),
  process.env,
);
const now = () => new Date();
const write = (line: string) => process.stdout.write(line);
const log = createLog({ write, now });
const metrics = createMetrics({ write, now });
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };
const dynamodb = new DynamoDBClient({ requestHandler });
const sqs = new SQSClient({ requestHandler });
const secretsManager = new SecretsManagerClient({ requestHandler });

const client = connectPlatform(environment, {
  secretsManager,
  sqs,
  fetch: createPlatformFetch(),
  now,
  random: Math.random,
  wait: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
  timeout: AbortSignal.timeout,
});
const eventStore = createEventStore({
  dynamodb,
  tableName: environment.EVENTS_TABLE,
  retentionDays: environment.EVENT_RETENTION_DAYS,
  now,
});
const checkpoint = createCheckpoint({
  dynamodb,
  tableName: environment.CHECKPOINTS_TABLE,
  job: 'drain',
  schema: drainProgress,
});
const takeIn = createTakeIn({
  eventStore,
  commitEvent: createCommitEvent({ eventStore, log, metrics }),
  queue: createBatchQueue({ sqs, queueUrl: environment.QUEUE_URL }),
  profile: environment.PLATFORM_PROFILE,
  now,
  metrics,
});

const drain = createDrain({ client, checkpoint, takeIn, now, log, metrics });

/** In milliseconds: what is under way when a run is told to stop is done by then. */
const reserve = 10_000;

export const handler = invocationHandler((_, { signal }) => drain(signal), { log, metrics, reserve });
