import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { rulesWith } from '#shared/entities/entity-rules.ts';
import { createEntityStore } from '#shared/entity-store.ts';
import { settingsVariable, textVariable } from '#shared/env.ts';
import { createEventBodies } from '#shared/event-bodies.ts';
import { createEventStore } from '#shared/event-store.ts';
import { httpHandler } from '#shared/handler.ts';
import type { ProcessDeps } from '#shared/lambda-process.ts';
import { createLog } from '#shared/log.ts';
import { createOnboardingStore } from '#shared/onboarding-store.ts';
import { platformProfile } from '#shared/platform/profile.ts';
import { createClaimOnboarding } from './claim-onboarding.ts';
import { createEraseEvents } from './erase-events.ts';
import { createErasePerson } from './erase-person.ts';

/** What the stacks put into the environment. */
export const variables = z.object({
  ONBOARDINGS_TABLE: textVariable,
  ENTITIES_TABLE: textVariable,
  EVENTS_TABLE: textVariable,
  EVENT_RETENTION_DAYS: z.coerce.number().check(z.int(), z.positive()),
  PLATFORM_PROFILE: settingsVariable(platformProfile),
});

export type ErasePersonHandlerDeps = Pick<ProcessDeps, 'now' | 'random' | 'wait' | 'write'> & {
  readonly environment: z.infer<typeof variables>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
};

/** The handler of `erase-person`, as its entry exports it. */
export function createHandler({ environment, dynamodb, now, random, wait, write }: ErasePersonHandlerDeps) {
  const log = createLog({ write, now });
  const eventStore = createEventStore({
    dynamodb,
    tableName: environment.EVENTS_TABLE,
    retentionDays: environment.EVENT_RETENTION_DAYS,
    now,
  });
  const entityStore = createEntityStore({
    dynamodb,
    tableName: environment.ENTITIES_TABLE,
    rules: rulesWith(environment.PLATFORM_PROFILE.statuses),
    now,
    random,
    wait,
  });
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
  return httpHandler(erasePerson, log, 'Not erased as a whole. Send it again.');
}
