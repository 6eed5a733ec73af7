import { setTimeout as wait } from 'node:timers/promises';
import { createViewEvents } from '#functions/onboarding/erase-person/view-events.ts';
import { createEntityStore, type EntityStore } from '#shared/entities/entity-store.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { createListQuarantined } from '#shared/events/event-list.ts';
import { createEventStore, type EventStore } from '#shared/events/event-store.ts';
import {
  createEraseEvent,
  createErasePersonEvents,
  createFindPerson,
  createFindUnread,
} from '#shared/persons/person-events.ts';
import { createPersonIndex } from '#shared/persons/person-index.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import type { Emulators } from '#test/shared/aws/emulators.ts';

/** The index of persons over the table of the emulators, and what erases by it. */
export function createTestPersons(
  { dynamodb, tableNameOf }: Pick<Emulators, 'dynamodb' | 'tableNameOf'>,
  { now, ...stores }: { readonly eventStore: EventStore; readonly entityStore: EntityStore; readonly now: () => Date },
) {
  const personIndex = createPersonIndex({ dynamodb, tableName: tableNameOf('persons'), retentionDays: 30, now });
  const profile = platformProfile.parse({});
  const findPerson = createFindPerson({ ...stores, personIndex, profile });
  const eraseEvent = createEraseEvent({ ...stores, personIndex, profile });
  return {
    personIndex,
    findPerson,
    viewEvents: createViewEvents({ ...stores, profile }),
    eraseEvent,
    findUnread: createFindUnread({
      ...stores,
      listQuarantined: createListQuarantined({ dynamodb, tableName: tableNameOf('events'), now }),
      profile,
    }),
    erasePersonEvents: createErasePersonEvents({ ...stores, findPerson, eraseEvent }),
  };
}

/**
 * The event store and the entity store over the tables of the emulators.
 *
 * @param entitiesTable one that the test has made
 */
export function createTestStores({ dynamodb, tableName }: Emulators, now: () => Date, entitiesTable = 'entities') {
  return {
    eventStore: createEventStore({ dynamodb, tableName, retentionDays: 30, unreadRetentionDays: 20, now }),
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
