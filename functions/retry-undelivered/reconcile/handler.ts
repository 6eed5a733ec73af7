import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import type { EntityComparison, GapReport, WalkSummary } from '#shared/api/reconcile-answers.ts';
import { CheckpointConflictError, createCheckpoint } from '#shared/aws/checkpoint.ts';
import { createBatchQueue } from '#shared/aws/queue.ts';
import { connectPlatform, platformVariables, skipBeforeFirstToken } from '#shared/connection/platform-connection.ts';
import { createDueEntities } from '#shared/entities/due-entities.ts';
import { createEntityStore } from '#shared/entities/entity-store.ts';
import { rulesWith } from '#shared/entities/statuses/entity-rules.ts';
import { createEventStore } from '#shared/events/event-store.ts';
import { invocationHandler } from '#shared/lambda/handler.ts';
import { type ProcessDeps, textVariable } from '#shared/lambda/lambda-process.ts';
import { createLog, type Log } from '#shared/lambda/log.ts';
import { createMetrics, metricsVariables } from '#shared/lambda/metrics.ts';
import { createOnboardingVerifications } from '#shared/onboarding/onboarding-finder.ts';
import { connectFillPersonIndex, type FillPersonIndex, fillVariables } from '#shared/persons/fill-person-index.ts';
import { connectPersonIndex } from '#shared/persons/person-index.ts';
import type { PlatformFetch } from '#shared/platform/client/http.ts';
import { platformId } from '#shared/platform/fields/fields.ts';
import { createDetectDrift } from './detect-drift.ts';
import { createFindRequestor } from './find-requestor.ts';
import { createInspect, readInspection } from './inspect.ts';
import { createPace, createReadPlatformEntity } from './read-platform-entity.ts';
import { createReconcile, readReconcileRequest } from './reconcile.ts';
import { reconcileProgress } from './reconcile-progress.ts';

/** In milliseconds: the part of a run that fills the index of persons. The rest is for reconciliation. */
const shareMs = 4 * 60_000;

/**
 * Continues to fill the index of persons, which has the events of an earlier release after some runs. Reconciliation does not wait for the index:
 * what fails here is logged, and the next run continues.
 */
function createFillIndex({
  fillPersonIndex,
  now,
  log,
}: {
  readonly fillPersonIndex: FillPersonIndex;
  readonly now: () => Date;
  readonly log: Log;
}): () => Promise<void> {
  return async () => {
    const until = now().getTime() + shareMs;
    try {
      await fillPersonIndex(() => now().getTime() < until);
    } catch (error) {
      if (!(error instanceof CheckpointConflictError)) log.error('index of persons not filled', { error });
    }
  };
}

const positive = z.coerce.number().check(z.positive());

/** What the stacks put into the environment. */
export const variables = z.object({
  ...metricsVariables,
  ...platformVariables,
  ...fillVariables,
  ENTITIES_TABLE: textVariable,
  ONBOARDINGS_TABLE: textVariable,
  QUEUE_URL: textVariable,
  CALLS_PER_SECOND: positive,
  GRACE_MINUTES: positive,
  LIST_EVERY_HOURS: positive,
  READ_BACK_AFTER_HOURS: positive,
  STALE_AFTER_HOURS: positive,
  /** Who asks for verifications and transfers, unless the profile says otherwise: each person itself, or one with proxies for all others. */
  REQUESTOR: z.union([z.literal('self'), platformId]),
});

type ReconcileHandlerDeps = ProcessDeps & {
  readonly environment: z.infer<typeof variables>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly fetch: PlatformFetch;
};

/** In milliseconds. */
const minute = 60_000;
const hour = 60 * minute;

/** In milliseconds. A run is asked to stop this long before its time limit, so that calls in progress can finish. */
const reserve = 10_000;

/** The handler of `reconcile`, as its entry exports it. */
export function createHandler({ environment, dynamodb, write, ...deps }: ReconcileHandlerDeps) {
  const { now, random, wait, timeout, sqs } = deps;
  const log = createLog({ write, now });
  const metrics = createMetrics({ write, now, environment: environment.ENVIRONMENT });
  const ofEntities = { dynamodb, tableName: environment.ENTITIES_TABLE };
  const ofOnboardings = { dynamodb, tableName: environment.ONBOARDINGS_TABLE };
  const rules = rulesWith(environment.PLATFORM_PROFILE.statuses);
  const dueEntities = createDueEntities(ofEntities);
  const entityStore = createEntityStore({ ...ofEntities, rules, now, random, wait });
  const connection = connectPlatform(environment, { ...deps, metrics });
  const pace = createPace({ callsPerSecond: environment.CALLS_PER_SECOND, now, wait });
  const eventStore = createEventStore({
    dynamodb,
    tableName: environment.EVENTS_TABLE,
    retentionDays: environment.EVENT_RETENTION_DAYS,
    now,
  });
  const { requestors, places } = environment.PLATFORM_PROFILE;
  const requestor = environment.REQUESTOR;
  const findRequestor = createFindRequestor({ entityStore, eventStore, requestor, requestors, places });
  const personIndex = connectPersonIndex(environment, { dynamodb, now });
  const fillPersonIndex = connectFillPersonIndex(environment, { dynamodb, eventStore, personIndex, now });
  const fillIndex = createFillIndex({ fillPersonIndex, now, log });
  const checkpoint = createCheckpoint({
    dynamodb,
    tableName: environment.CHECKPOINTS_TABLE,
    job: 'reconcile',
    schema: reconcileProgress,
  });
  const reconcile = createReconcile({
    client: connection,
    pace,
    findRequestor,
    dueEntities,
    driftChecks: createDetectDrift({ entityStore, dueEntities, rules, now, limits: limitsOf(environment) }),
    verifications: createOnboardingVerifications(ofOnboardings),
    queue: createBatchQueue({ sqs, queueUrl: environment.QUEUE_URL }),
    checkpoint,
    callsPerSecond: environment.CALLS_PER_SECOND,
    listEveryHours: environment.LIST_EVERY_HOURS,
    now,
    timeout,
    log,
    metrics,
  });
  const inspect = createInspect({
    entityStore,
    // An operator waits for the answer: the first failure of the platform is one.
    ask: createReadPlatformEntity({ client: connection, pace, findRequestor, maxFailures: 0 }),
    checkpoint,
    now,
  });
  const answer = async (
    event: unknown,
    context: { readonly signal: AbortSignal },
  ): Promise<GapReport | EntityComparison | WalkSummary> => {
    const asked = readInspection(event);
    if (asked !== undefined) return inspect(asked, context.signal);
    const { mode, seconds } = readReconcileRequest(event);
    // A scheduled run: no operator waits for its answer.
    if (mode === 'repair' && seconds === undefined) await fillIndex();
    return reconcile(event, context);
  };
  const checkRequest = (event: unknown) => readInspection(event) ?? readReconcileRequest(event);
  // None is completed, and yet the run is not missing: the alarm ReconcileSilent stays off.
  const onSkipped = () => metrics.count('ReconciliationsCompleted', 0);
  return invocationHandler(skipBeforeFirstToken(answer, { connection, log, checkRequest, onSkipped }), {
    log,
    metrics,
    reserve,
  });
}

function limitsOf(environment: ReconcileHandlerDeps['environment']) {
  return {
    grace: environment.GRACE_MINUTES * minute,
    readBackAfter: environment.READ_BACK_AFTER_HOURS * hour,
    staleAfter: environment.STALE_AFTER_HOURS * hour,
  };
}
