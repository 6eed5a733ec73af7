import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createCommitEvent } from '#shared/commit-event.ts';
import { jsonVariable, readEnvironment } from '#shared/env.ts';
import { createEventStore } from '#shared/event-store.ts';
import { batchHandler } from '#shared/handler.ts';
import { createLog } from '#shared/log.ts';
import { createMetrics } from '#shared/metrics.ts';
import { platformProfile } from '#shared/platform/profile.ts';
import { createStore } from './store.ts';

const environment = readEnvironment(
  z.object({
    EVENTS_TABLE: z.string().check(z.minLength(1)),
    EVENT_RETENTION_DAYS: z.coerce.number().check(z.int(), z.positive()),
    PLATFORM_PROFILE: z._default(jsonVariable(platformProfile), platformProfile.parse({})),
  }),
  process.env,
);
const now = () => new Date();
const write = (line: string) => process.stdout.write(line);
const log = createLog({ write, now });
const metrics = createMetrics({ write, now });
const eventStore = createEventStore({
  dynamodb: new DynamoDBClient({
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  }),
  tableName: environment.EVENTS_TABLE,
  retentionDays: environment.EVENT_RETENTION_DAYS,
  now,
});

export const handler = batchHandler(
  createStore({
    commitEvent: createCommitEvent({ eventStore, log, metrics }),
    eventStore,
    knownEventTypes: new Set(environment.PLATFORM_PROFILE.eventTypes),
  }),
  { log, metrics },
);
