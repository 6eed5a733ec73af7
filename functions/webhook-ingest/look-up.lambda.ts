import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createEntityStore } from '#shared/entity-store.ts';
import { readEnvironment, textVariable } from '#shared/env.ts';
import { createEventStore } from '#shared/event-store.ts';
import { httpHandler } from '#shared/handler.ts';
import { createLog } from '#shared/log.ts';
import { createLookUp } from './look-up.ts';

const environment = readEnvironment(
  z.object({
    EVENTS_TABLE: textVariable,
    ENTITIES_TABLE: textVariable,
    EVENT_RETENTION_DAYS: z.coerce.number().check(z.int(), z.positive()),
  }),
  process.env,
);
const now = () => new Date();
const dynamodb = new DynamoDBClient({
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_500, throwOnRequestTimeout: true },
});

export const handler = httpHandler(
  createLookUp({
    entityStore: createEntityStore({
      dynamodb,
      tableName: environment.ENTITIES_TABLE,
      now,
      random: Math.random,
      wait: (milliseconds) => wait(milliseconds),
    }),
    eventStore: createEventStore({
      dynamodb,
      tableName: environment.EVENTS_TABLE,
      retentionDays: environment.EVENT_RETENTION_DAYS,
      now,
    }),
  }),
  createLog({ write: (line) => process.stdout.write(line), now }),
  'It could not be looked up now. Ask again.',
);
