import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createEntityStore } from '#shared/entity-store.ts';
import { readEnvironment, settingsVariable, textVariable } from '#shared/env.ts';
import { createEventBodies } from '#shared/event-bodies.ts';
import { createEventStore } from '#shared/event-store.ts';
import { httpHandler } from '#shared/handler.ts';
import { createLog } from '#shared/log.ts';
import { createOnboardingStore } from '#shared/onboarding-store.ts';
import { platformProfile } from '#shared/platform/profile.ts';
import { createEraseEvents } from './erase-events.ts';
import { createErasePerson } from './erase-person.ts';

const environment = readEnvironment(
  z.object({
    ONBOARDINGS_TABLE: textVariable,
    ENTITIES_TABLE: textVariable,
    EVENTS_TABLE: textVariable,
    EVENT_RETENTION_DAYS: z.coerce.number().check(z.int(), z.positive()),
    PLATFORM_PROFILE: settingsVariable(platformProfile),
  }),
  process.env,
);
const now = () => new Date();
const log = createLog({ write: (line) => process.stdout.write(line), now });
const dynamodb = new DynamoDBClient({
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
});

const eventStore = createEventStore({
  dynamodb,
  tableName: environment.EVENTS_TABLE,
  retentionDays: environment.EVENT_RETENTION_DAYS,
  now,
});

const entityStore = createEntityStore({
  dynamodb,
  tableName: environment.ENTITIES_TABLE,
  now,
  random: Math.random,
  wait: (milliseconds) => wait(milliseconds),
});

export const handler = httpHandler(
  createErasePerson({
    onboardingStore: createOnboardingStore({ dynamodb, tableName: environment.ONBOARDINGS_TABLE, now }),
    entityStore,
    eventStore,
    eraseEvents: createEraseEvents({
      bodies: createEventBodies({ dynamodb, tableName: environment.EVENTS_TABLE }),
      eventStore,
      entityStore,
      profile: environment.PLATFORM_PROFILE,
      now,
    }),
    now,
    log,
  }),
  log,
  'Not erased as a whole. Send it again.',
);
