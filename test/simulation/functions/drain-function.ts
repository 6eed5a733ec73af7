import { createDrain } from '#functions/retry-undelivered/drain.ts';
import { drainProgress } from '#functions/retry-undelivered/drain-progress.ts';
import { createTakeIn } from '#functions/retry-undelivered/take-in.ts';
import { createBatchQueue } from '#shared/batch-queue.ts';
import { createCheckpoint } from '#shared/checkpoint.ts';
import { createCommitEvent } from '#shared/commit-event.ts';
import { createEventStore } from '#shared/event-store.ts';
import { invocationHandler } from '#shared/handler.ts';
import { connectPlatform } from '#shared/platform-connection.ts';
import { type BuildHandler, toHandler } from './process-deps.ts';

/** In milliseconds: as in `drain.lambda.ts`. */
const reserve = 10_000;

/** As `drain.lambda.ts`. */
export const buildDrain: BuildHandler = ({ dynamodb, sqs, now, log, metrics, environment, ...deps }) => {
  const { retentionDays, PLATFORM_PROFILE: profile } = environment;
  const eventStore = createEventStore({ dynamodb, tableName: 'events', retentionDays, now });
  const drain = createDrain({
    client: connectPlatform(environment, { ...deps, sqs, now }),
    checkpoint: createCheckpoint({ dynamodb, tableName: 'checkpoints', job: 'drain', schema: drainProgress }),
    takeIn: createTakeIn({
      eventStore,
      commitEvent: createCommitEvent({ eventStore, log, metrics }),
      queue: createBatchQueue({ sqs, queueUrl: 'webhooks' }),
      profile,
      now,
      metrics,
    }),
    now,
    log,
    metrics,
  });
  return toHandler(invocationHandler((_, { signal }) => drain(signal), { log, metrics, reserve }));
};
