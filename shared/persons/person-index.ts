import { hash } from 'node:crypto';
import { DeleteItemCommand, type DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createRowReader, ifConditionHolds } from '#shared/aws/dynamodb.ts';
import type { LaneMemory } from '#shared/aws/list/lanes.ts';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import type { Event } from '#shared/events/event.ts';
import { type CommitOptions, type Committed, type EventStore, retentionVariables } from '#shared/events/event-store.ts';
import type { WebhookDelivery } from '#shared/events/webhook-delivery.ts';
import { textVariable } from '#shared/lambda/lambda-process.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { uuid } from '#shared/platform/fields/fields.ts';

/** The keys of the table of persons: the stacks create it, the index uses it. */
export const personKeys = { partition: 'name', sort: 'event', timeToLive: 'expiresAt' } as const;

/** The names of persons in an event. */
export type PersonIds = {
  /** The platform's ids of persons and of verifications. */
  readonly ids: readonly string[];
  /** The digest of an externalId, which is also the id of the onboarding (`onboardingIdOf`). */
  readonly onboardingIds: readonly string[];
};

/** The person of an event, as its body states it: only ids. */
export type StatedPerson = {
  readonly of: 'business' | 'natural-person' | 'identification-verification' | 'whom it names' | 'unread';
  readonly naturalPersonId?: string | undefined;
  readonly identificationVerificationId?: string | undefined;
  /** Of the externalId that the body gives the person. */
  readonly onboardingId?: string | undefined;
};

/** An event that names a person. */
export type NamedEvent = StatedPerson & { readonly eventId: string; readonly eventType: string };

/** An event that was found, and the rows of the index that lead to it from the names that were looked up. */
export type IndexedEvent = NamedEvent & { readonly rows: readonly string[] };

/** Finds the events that name a person, without reading the table of events. Has no personal data: an id that is not a UUID is there as its digest. */
export type PersonIndex = {
  /**
   * Adds the persons that an event names. Call it before the event is stored, so that every stored event is found. Can be repeated.
   *
   * @param expiresAt when the event expires, in seconds since 1970; `retentionDays` from now unless given
   * @returns whether a row was written: an event that was noted before needs none
   */
  readonly add: (event: NamedEvent, names: PersonIds, expiresAt?: number) => Promise<boolean>;
  /** Every event that one of the names stands in, once. */
  readonly find: (names: PersonIds) => Promise<readonly IndexedEvent[]>;
  /** Forgets an event under these names and rows, once it is erased. Can be repeated. */
  readonly remove: (eventId: string, names: PersonIds, rows: readonly string[]) => Promise<void>;
};

type PersonIndexDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  /** How long an event is kept, in days. */
  readonly retentionDays: number;
  readonly now: () => Date;
};

const { read } = createRowReader(
  (fields) =>
    new DrawbridgeError(
      'PersonRowError',
      `A row of the table of persons cannot be read: ${fields.join(', ')}. Find out what wrote it.`,
    ),
);

const text = z.object({ S: z.string() });

const row = z.object({
  [personKeys.partition]: text,
  [personKeys.sort]: text,
  eventType: text,
  of: z.object({
    S: z.enum(['business', 'natural-person', 'identification-verification', 'whom it names', 'unread']),
  }),
  naturalPersonId: z.optional(text),
  identificationVerificationId: z.optional(text),
  onboardingId: z.optional(text),
});

const concurrency = 10;
const secondsPerDay = 86_400;

/** The same UUID can be written in capitals; any other id is another one then. */
export function lowerCaseUuid(id: string): string {
  return uuid.safeParse(id).success ? id.toLowerCase() : id;
}

export function createPersonIndex({ dynamodb, tableName, retentionDays, now }: PersonIndexDeps): PersonIndex {
  const keyOf = (name: string, eventId: string) => ({
    [personKeys.partition]: { S: name },
    [personKeys.sort]: { S: eventId },
  });

  async function findUnder(name: string): Promise<readonly (NamedEvent & { readonly row: string })[]> {
    const found: (NamedEvent & { readonly row: string })[] = [];
    let start: Awaited<ReturnType<typeof query>>['LastEvaluatedKey'];
    do {
      const page = await query(name, start);
      found.push(...(page.Items ?? []).map(readRow));
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
    return found;
  }

  function query(name: string, start: QueryCommand['input']['ExclusiveStartKey']) {
    const command = new QueryCommand({
      TableName: tableName,
      ConsistentRead: true,
      KeyConditionExpression: '#name = :name',
      ExpressionAttributeNames: { '#name': personKeys.partition },
      ExpressionAttributeValues: { ':name': { S: name } },
      ExclusiveStartKey: start,
    });
    return dynamodb.send(command);
  }

  return {
    add: async (event, names, expiresAt = Math.floor(now().getTime() / 1_000) + retentionDays * secondsPerDay) => {
      const written = await mapConcurrent(rowNames(names), concurrency, async (name) => {
        const command = new PutItemCommand({
          TableName: tableName,
          Item: {
            ...keyOf(name, event.eventId),
            ...attributesOf(event),
            [personKeys.timeToLive]: { N: String(expiresAt) },
          },
          // A row must not expire before its event, whatever the retention is now.
          ConditionExpression: 'attribute_not_exists(#name) OR #until < :until',
          ExpressionAttributeNames: { '#name': personKeys.partition, '#until': personKeys.timeToLive },
          ExpressionAttributeValues: { ':until': { N: String(expiresAt) } },
        });
        return (await ifConditionHolds(dynamodb.send(command))) !== undefined;
      });
      return written.includes(true);
    },
    find: async (names) => {
      const all = (await mapConcurrent(rowNames(names), concurrency, findUnder)).flat();
      return [...Map.groupBy(all, ({ eventId }) => eventId).values()].flatMap((found) => {
        const [first] = found;
        if (first === undefined) return [];
        const { row: _, ...event } = first;
        return [{ ...event, rows: found.map((one) => one.row) }];
      });
    },
    remove: async (eventId, names, rows) => {
      await mapConcurrent([...new Set([...rowNames(names), ...rows])], concurrency, async (name) => {
        await dynamodb.send(new DeleteItemCommand({ TableName: tableName, Key: keyOf(name, eventId) }));
      });
    },
  };
}

function rowNames({ ids, onboardingIds }: PersonIds): readonly string[] {
  return [...new Set([...ids.map(rowNameOf), ...onboardingIds.map((id) => `onboarding#${id}`)])];
}

/** A field of a person may hold anything: the digest keeps it out of the table. */
function rowNameOf(id: string): string {
  const known = uuid.safeParse(id).success ? id.toLowerCase() : hash('sha256', id);
  return `id#${known}`;
}

function attributesOf({ eventType, of, ...ids }: NamedEvent) {
  const { naturalPersonId, identificationVerificationId, onboardingId } = ids;
  return {
    eventType: { S: eventType },
    of: { S: of },
    ...(naturalPersonId !== undefined && { naturalPersonId: { S: naturalPersonId } }),
    ...(identificationVerificationId !== undefined && {
      identificationVerificationId: { S: identificationVerificationId },
    }),
    ...(onboardingId !== undefined && { onboardingId: { S: onboardingId } }),
  };
}

function readRow(item: unknown): NamedEvent & { readonly row: string } {
  const { name, event, eventType, of, ...ids } = read(row, item);
  return {
    row: name.S,
    eventId: event.S,
    eventType: eventType.S,
    of: of.S,
    naturalPersonId: ids.naturalPersonId?.S,
    identificationVerificationId: ids.identificationVerificationId?.S,
    onboardingId: ids.onboardingId?.S,
  };
}

/** The environment variables of a function with the index of persons. */
export const personVariables = {
  PERSONS_TABLE: textVariable,
  EVENT_RETENTION_DAYS: retentionVariables.EVENT_RETENTION_DAYS,
};

const personEnvironment = z.object(personVariables);

type PersonEnvironment = z.infer<typeof personEnvironment>;

/** The index of persons, for a function. */
export function connectPersonIndex(
  environment: PersonEnvironment,
  deps: Pick<PersonIndexDeps, 'dynamodb' | 'now'>,
): PersonIndex {
  const { PERSONS_TABLE: tableName, EVENT_RETENTION_DAYS: retentionDays } = environment;
  return createPersonIndex({ ...deps, tableName, retentionDays });
}

/** What the index of persons has of an event, and whether the event is kept for a shorter time. */
export type IndexEntry = PersonIds & { readonly statedPerson: StatedPerson; readonly isUnread: boolean };

type CommitEventDeps = {
  readonly eventStore: Pick<EventStore, 'commit'>;
  readonly personIndex: Pick<PersonIndex, 'add' | 'remove'>;
  /** Resolves once each reader of a list knows the lanes that a webhook can enter: nothing unless given. */
  readonly rememberLanes?: LaneMemory['remember'];
  readonly log: Log;
  readonly metrics: Metrics;
};

/**
 * Adds an event to the index of persons, then commits it to the event store. @returns the outcome of the commit
 *
 * @param names the ids under which the index finds the event, and whether its body is readable
 * @throws when DynamoDB did not confirm a write
 */
export type CommitEvent = (
  event: Event,
  delivery: WebhookDelivery,
  names: IndexEntry,
  options?: CommitOptions,
) => Promise<Committed>;

/** The first step for every webhook, whether the platform delivered it or the drain fetched it. */
export function createCommitEvent({
  eventStore,
  personIndex,
  rememberLanes,
  log,
  metrics,
}: CommitEventDeps): CommitEvent {
  return async (event, delivery, { statedPerson, isUnread, ...names }, options) => {
    const { eventId, eventType } = event;
    await rememberLanes?.();
    await personIndex.add({ eventId, eventType, ...statedPerson }, names);
    const committed = await eventStore.commit(event, delivery, { ...options, isUnread });
    const { outcome, isErased } = committed;
    // A later erasure cannot remove these rows: the body that has their names is gone.
    if (isErased) await personIndex.remove(eventId, names, []);
    if (outcome === 'stored') metrics.count('EventsStored');
    if (outcome === 'duplicate') metrics.count('DuplicateDeliveries');
    // A repeated delivery may be one whose commit succeeded and whose count was lost: counted twice is better than never.
    if (outcome !== 'duplicate' && event.quarantineReason !== undefined) {
      metrics.count('EventsQuarantined');
      log.warn('event quarantined', { eventId: event.eventId, reason: event.quarantineReason });
    }
    return committed;
  };
}
