import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createEntityStore, type EntityStore, type EntityStoreDeps } from '#shared/entities/entity-store.ts';
import { rulesWith } from '#shared/entities/statuses/entity-rules.ts';
import { settingsVariable, textVariable } from '#shared/lambda/lambda-process.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { createEventStore, type EventStore, listVariables, retentionVariables } from './event-store.ts';

/** The environment variables of a function with both stores: to be spread into the schema of its environment. */
export const storeVariables = {
  EVENTS_TABLE: textVariable,
  ...retentionVariables,
  ENTITIES_TABLE: textVariable,
  PLATFORM_PROFILE: settingsVariable(platformProfile),
  ...listVariables,
};

const storeEnvironment = z.object(storeVariables);

export type StoreEnvironment = z.infer<typeof storeEnvironment>;

type StoreConnectionDeps = Pick<EntityStoreDeps, 'now' | 'random' | 'wait'> & {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
};

/** The event store and the entity store, for a function. */
export function connectStores(
  environment: StoreEnvironment,
  { dynamodb, now, random, wait }: StoreConnectionDeps,
): { readonly eventStore: EventStore; readonly entityStore: EntityStore } {
  return {
    eventStore: createEventStore({
      dynamodb,
      tableName: environment.EVENTS_TABLE,
      retentionDays: environment.EVENT_RETENTION_DAYS,
      unreadRetentionDays: environment.UNREAD_RETENTION_DAYS,
      listed: environment.LIST_EVENTS && {
        types: environment.PLATFORM_PROFILE.eventTypes,
        lanes: environment.LIST_LANES,
      },
      now,
    }),
    entityStore: createEntityStore({
      dynamodb,
      tableName: environment.ENTITIES_TABLE,
      rules: rulesWith(environment.PLATFORM_PROFILE.statuses),
      listLanes: environment.LIST_ENTITIES && environment.LIST_LANES,
      now,
      random,
      wait,
    }),
  };
}
