import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createLaneMemory } from '#shared/aws/list/lanes.ts';
import { createListEntities } from '#shared/entities/entity-list.ts';
import { createEntityStore } from '#shared/entities/entity-store.ts';
import { rulesWith } from '#shared/entities/statuses/entity-rules.ts';
import { createListAllEvents, createListQuarantined } from '#shared/events/event-list.ts';
import { createEventStore, listVariables, retentionVariables } from '#shared/events/event-store.ts';
import { httpHandler } from '#shared/lambda/http-api.ts';
import { jsonVariable, type ProcessDeps, settingsVariable, textVariable } from '#shared/lambda/lambda-process.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createMetrics, metricsVariables } from '#shared/lambda/metrics.ts';
import { createIsFilled } from '#shared/persons/fill-person-index.ts';
import { eventPlaces, eventTypes } from '#shared/platform/profile/event-place.ts';
import { declaredStatuses } from '#shared/platform/profile/profile.ts';
import { createQuery } from './query.ts';

/** What the stacks put into the environment. */
export const variables = z.object({
  ...metricsVariables,
  EVENTS_TABLE: textVariable,
  ENTITIES_TABLE: textVariable,
  CHECKPOINTS_TABLE: textVariable,
  /** Of the platform profile, of which it needs nothing else. */
  DECLARED_STATUSES: settingsVariable(declaredStatuses),
  EVENT_RETENTION_DAYS: retentionVariables.EVENT_RETENTION_DAYS,
  ...listVariables,
  /** Of the platform profile, if it declares its own. */
  EVENT_TYPES: z.optional(jsonVariable(z.array(textVariable))),
  /** Of the platform profile, if it declares places. */
  PLACES: z.optional(jsonVariable(eventPlaces)),
});

type QueryHandlerDeps = Pick<ProcessDeps, 'now' | 'random' | 'wait' | 'write'> & {
  readonly environment: z.infer<typeof variables>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
};

/** The handler of `query`, as its entry exports it. */
export function createHandler({ environment, dynamodb, now, random, wait, write }: QueryHandlerDeps) {
  const rules = rulesWith(environment.DECLARED_STATUSES);
  const log = createLog({ write, now });
  const events = { dynamodb, tableName: environment.EVENTS_TABLE, now };
  const checkpoints = { dynamodb, tableName: environment.CHECKPOINTS_TABLE };
  const { read: readLanes } = createLaneMemory(checkpoints, environment.LIST_LANES);
  return httpHandler(
    createQuery({
      log,
      places: environment.PLACES ?? {},
      entityStore: createEntityStore({
        dynamodb,
        tableName: environment.ENTITIES_TABLE,
        rules,
        now,
        random,
        wait,
      }),
      eventStore: createEventStore({
        dynamodb,
        tableName: environment.EVENTS_TABLE,
        retentionDays: environment.EVENT_RETENTION_DAYS,
        now,
      }),
      listQuarantined: createListQuarantined(events),
      listAllEvents:
        environment.LIST_EVENTS &&
        createListAllEvents({
          ...events,
          types: environment.EVENT_TYPES ?? eventTypes,
          readLanes,
          isReceivedFilled: createIsFilled(checkpoints),
        }),
      listEntities:
        environment.LIST_ENTITIES &&
        createListEntities({ dynamodb, tableName: environment.ENTITIES_TABLE, rules, readLanes }),
    }),
    {
      log,
      metrics: createMetrics({ write, now, environment: environment.ENVIRONMENT }),
      failed: 'The tables could not be read.',
    },
  );
}
