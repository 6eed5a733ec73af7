import { createStore } from '#functions/webhook-ingest/store.ts';
import { createTakeEffect } from '#functions/webhook-ingest/take-effect.ts';
import { createWakeOnboarding } from '#functions/webhook-ingest/wake-onboarding.ts';
import { createBus } from '#shared/bus.ts';
import { createCommitEvent } from '#shared/commit-event.ts';
import { createEntityStore } from '#shared/entity-store.ts';
import { createEventStore } from '#shared/event-store.ts';
import { batchHandler } from '#shared/handler.ts';
import { createOnboardingFinder } from '#shared/onboarding-finder.ts';
import { createQueue } from '#shared/queue.ts';
import { type BuildHandler, toHandler } from './process-deps.ts';

/** As `store.lambda.ts`. */
export const buildStore: BuildHandler = ({
  dynamodb,
  sqs,
  eventBridge,
  now,
  random,
  wait,
  log,
  metrics,
  environment,
}) => {
  const { retentionDays, PLATFORM_PROFILE: profile } = environment;
  const eventStore = createEventStore({ dynamodb, tableName: 'events', retentionDays, now });
  const onboardings = createOnboardingFinder({ dynamodb, tableName: 'onboardings' });
  const takeEffect = createTakeEffect({
    entityStore: createEntityStore({ dynamodb, tableName: 'entities', now, random, wait }),
    eventStore,
    onboardings,
    wakeOnboarding: createWakeOnboarding({ onboardings, queue: createQueue({ sqs, queueUrl: 'onboarding' }) }),
    bus: createBus({ eventBridge, busName: 'drawbridge' }),
    log,
    metrics,
  });
  const commitEvent = createCommitEvent({ eventStore, log, metrics });
  return toHandler(batchHandler(createStore({ commitEvent, eventStore, takeEffect, profile }), { log, metrics }));
};
