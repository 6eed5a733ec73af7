import { setTimeout as wait } from 'node:timers/promises';
import { createEntityStore } from '#shared/entities/entity-store.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { createEventStore } from '#shared/events/event-store.ts';
import type { Emulators } from '#test/shared/aws/emulators.ts';

/**
 * The event store and the entity store over the tables of the emulators.
 *
 * @param entitiesTable one that the test has made
 */
export function createTestStores({ dynamodb, tableName }: Emulators, now: () => Date, entitiesTable = 'entities') {
  return {
    eventStore: createEventStore({ dynamodb, tableName, retentionDays: 30, now }),
    entityStore: createEntityStore({
      rules: entityRules,
      dynamodb,
      tableName: entitiesTable,
      now,
      random: Math.random,
      wait,
    }),
  };
}
