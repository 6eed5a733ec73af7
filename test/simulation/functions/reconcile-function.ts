import { createFindRequestor } from '#functions/retry-undelivered/find-requestor.ts';
import { createLooks } from '#functions/retry-undelivered/look-at-entities.ts';
import { createPace } from '#functions/retry-undelivered/pace.ts';
import { createReconcile } from '#functions/retry-undelivered/reconcile.ts';
import { reconcileProgress } from '#functions/retry-undelivered/reconcile-progress.ts';
import { createWaitingOnboardings } from '#functions/retry-undelivered/waiting-onboardings.ts';
import { createBatchQueue } from '#shared/batch-queue.ts';
import { createCheckpoint } from '#shared/checkpoint.ts';
import { createEntityListing } from '#shared/entity-listing.ts';
import { createEntityStore } from '#shared/entity-store.ts';
import { createEventStore } from '#shared/event-store.ts';
import { invocationHandler } from '#shared/handler.ts';
import { createOnboardingFinder } from '#shared/onboarding-finder.ts';
import { createOnboardingVerifications } from '#shared/onboarding-verifications.ts';
import { connectPlatform } from '#shared/platform-connection.ts';
import { type BuildHandler, toHandler } from './process-deps.ts';

/** In milliseconds: as in `reconcile.lambda.ts`. */
const reserve = 10_000;

/** As `reconcile.lambda.ts`. */
export const buildReconcile: BuildHandler = ({ dynamodb, sqs, now, log, metrics, environment, ...deps }) => {
  const { reconciliation } = environment;
  const ofEntities = { dynamodb, tableName: 'entities' };
  const entityStore = createEntityStore({ ...ofEntities, now, random: deps.random, wait: deps.wait });
  const reconcile = createReconcile({
    client: connectPlatform(environment, { ...deps, sqs, now }),
    pace: createPace({ callsPerSecond: reconciliation.callsPerSecond, now, wait: deps.wait }),
    findRequestor: createFindRequestor({
      entityStore,
      eventStore: createEventStore({ dynamodb, tableName: 'events', retentionDays: 1, now }),
      requestor: reconciliation.requestor,
    }),
    looks: createLooks({ entityStore, now, limits: reconciliation }),
    listing: createEntityListing(ofEntities),
    onboardings: createWaitingOnboardings({
      finder: createOnboardingFinder({ dynamodb, tableName: 'onboardings' }),
      queue: createBatchQueue({ sqs, queueUrl: 'onboarding' }),
    }),
    verifications: createOnboardingVerifications({ dynamodb, tableName: 'onboardings' }),
    queue: createBatchQueue({ sqs, queueUrl: 'webhooks' }),
    checkpoint: createCheckpoint({ dynamodb, tableName: 'checkpoints', job: 'reconcile', schema: reconcileProgress }),
    now,
    timeout: deps.timeout,
    log,
    metrics,
  });
  return toHandler(invocationHandler(reconcile, { log, metrics, reserve }));
};
