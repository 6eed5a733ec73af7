import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createEventBodies } from '#shared/events/event-bodies.ts';
import { connectStores, storeVariables } from '#shared/events/event-stores.ts';
import { textVariable } from '#shared/lambda/env.ts';
import { httpHandler } from '#shared/lambda/handler.ts';
import type { ProcessDeps } from '#shared/lambda/lambda-process.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createMetrics, metricsVariables } from '#shared/lambda/metrics.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { createClaimOnboarding } from './claim-onboarding.ts';
import { createEraseEvents } from './erase-events.ts';
import { createErasePerson } from './erase-person.ts';

/** What the stacks put into the environment. */
export const variables = z.object({
  ...metricsVariables,
  ONBOARDINGS_TABLE: textVariable,
  ...storeVariables,
});

export type ErasePersonHandlerDeps = Pick<ProcessDeps, 'now' | 'random' | 'wait' | 'write'> & {
  readonly environment: z.infer<typeof variables>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
};

/** The handler of `erase-person`, as its entry exports it. */
export function createHandler({ environment, dynamodb, now, random, wait, write }: ErasePersonHandlerDeps) {
  const log = createLog({ write, now });
  const { eventStore, entityStore } = connectStores(environment, { dynamodb, now, random, wait });
  const onboardingStore = createOnboardingStore({ dynamodb, tableName: environment.ONBOARDINGS_TABLE, now });
  const erasePerson = createErasePerson({
    onboardingStore,
    claimOnboarding: createClaimOnboarding({ store: onboardingStore, now }),
    entityStore,
    eventStore,
    eraseEvents: createEraseEvents({
      bodies: createEventBodies({ dynamodb, tableName: environment.EVENTS_TABLE }),
      eventStore,
      profile: environment.PLATFORM_PROFILE,
      now,
    }),
    now,
    log,
  });
  return httpHandler(erasePerson, {
    log,
    metrics: createMetrics({ write, now, environment: environment.ENVIRONMENT }),
    failed: 'The erasure is not complete.',
  });
}
