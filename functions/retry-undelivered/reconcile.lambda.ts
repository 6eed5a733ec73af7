import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createBatchQueue } from '#shared/batch-queue.ts';
import { createCheckpoint } from '#shared/checkpoint.ts';
import { createEntityListing } from '#shared/entity-listing.ts';
import { createEntityStore } from '#shared/entity-store.ts';
import { readEnvironment, textVariable } from '#shared/env.ts';
import { createEventStore } from '#shared/event-store.ts';
import { invocationHandler } from '#shared/handler.ts';
import { createLog } from '#shared/log.ts';
import { createMetrics } from '#shared/metrics.ts';
import { createOnboardingFinder } from '#shared/onboarding-finder.ts';
import { createOnboardingVerifications } from '#shared/onboarding-verifications.ts';
import { uuid } from '#shared/platform/fields.ts';
import { connectPlatform, platformVariables } from '#shared/platform-connection.ts';
import { createPlatformFetch } from '#shared/platform-fetch.ts';
import { createFindRequestor } from './find-requestor.ts';
import { createLooks } from './look-at-entities.ts';
import { createPace } from './pace.ts';
import { createReconcile } from './reconcile.ts';
import { reconcileProgress } from './reconcile-progress.ts';
import { createWaitingOnboardings } from './waiting-onboardings.ts';

const positive = z.coerce.number().check(z.positive());
const environment = readEnvironment(
  z.object({
    ...platformVariables,
    EVENTS_TABLE: textVariable,
    ENTITIES_TABLE: textVariable,
    CHECKPOINTS_TABLE: textVariable,
    ONBOARDINGS_TABLE: textVariable,
    ONBOARDING_QUEUE_URL: textVariable,
    QUEUE_URL: textVariable,
    CALLS_PER_SECOND: positive,
    GRACE_MINUTES: positive,
    READ_BACK_AFTER_HOURS: positive,
    STALE_AFTER_HOURS: positive,
    /** Who asks for verifications: each person itself, or one with proxies for all others. */
    REQUESTOR: z.union([z.literal('self'), uuid]),
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
const ofEntities = { dynamodb, tableName: environment.ENTITIES_TABLE };

/** In milliseconds. */
const minute = 60_000;
const hour = 60 * minute;

const entityStore = createEntityStore({
  ...ofEntities,
  now,
  random: Math.random,
  wait: (milliseconds) => wait(milliseconds),
});

const reconcile = createReconcile({
  client: connectPlatform(environment, {
    secretsManager: new SecretsManagerClient({ requestHandler }),
    sqs,
    fetch: createPlatformFetch(),
    now,
    random: Math.random,
    wait: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
    timeout: AbortSignal.timeout,
  }),
  pace: createPace({
    callsPerSecond: environment.CALLS_PER_SECOND,
    now,
    wait: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
  }),
  findRequestor: createFindRequestor({
    entityStore,
    // It reads alone: what retention is does not matter.
    eventStore: createEventStore({ dynamodb, tableName: environment.EVENTS_TABLE, retentionDays: 1, now }),
    requestor: environment.REQUESTOR,
  }),
  looks: createLooks({
    entityStore,
    now,
    limits: {
      grace: environment.GRACE_MINUTES * minute,
      readBackAfter: environment.READ_BACK_AFTER_HOURS * hour,
      staleAfter: environment.STALE_AFTER_HOURS * hour,
    },
  }),
  listing: createEntityListing(ofEntities),
  onboardings: createWaitingOnboardings({
    finder: createOnboardingFinder({ dynamodb, tableName: environment.ONBOARDINGS_TABLE }),
    queue: createBatchQueue({ sqs, queueUrl: environment.ONBOARDING_QUEUE_URL }),
  }),
  verifications: createOnboardingVerifications({ dynamodb, tableName: environment.ONBOARDINGS_TABLE }),
  queue: createBatchQueue({ sqs, queueUrl: environment.QUEUE_URL }),
  checkpoint: createCheckpoint({
    dynamodb,
    tableName: environment.CHECKPOINTS_TABLE,
    job: 'reconcile',
    schema: reconcileProgress,
  }),
  now,
  timeout: AbortSignal.timeout,
  log,
  metrics,
});

/** In milliseconds: what is under way when a run is told to stop is done by then. */
const reserve = 10_000;

export const handler = invocationHandler(reconcile, { log, metrics, reserve });
