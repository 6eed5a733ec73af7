import { DeleteItemCommand, type DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createRowReader } from '#shared/aws/row-reader.ts';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { uuid } from '#shared/platform/fields/fields.ts';

/** The keys of the table of persons: the stacks create it, the index uses it. */
export const personKeys = { partition: 'name', sort: 'event', timeToLive: 'expiresAt' } as const;

/**
 * By what an event names persons. No personal data: of an externalId its digest, by which the onboarding is named too
 * (`onboardingIdOf`).
 */
export type PersonNames = {
  /** The platform's ids of persons and of verifications. */
  readonly ids: readonly string[];
  readonly onboardingIds: readonly string[];
};

/** An event that names a person. */
export type NamedEvent = {
  readonly eventId: string;
  /** Whether an erasure keeps it, as a record of business. */
  readonly isKept: boolean;
};

/** Finds the events that name a person, without reading the table of events. */
export type PersonIndex = {
  /** Notes whom an event names. Call it before the event is stored, so that none is stored and not found. Can be repeated. */
  readonly add: (event: NamedEvent, names: PersonNames) => Promise<void>;
  /** Every event that one of the names stands in, once. */
  readonly find: (names: PersonNames) => Promise<readonly NamedEvent[]>;
  /** Forgets events under these names, once they are erased. Can be repeated. */
  readonly remove: (events: readonly NamedEvent[], names: PersonNames) => Promise<void>;
};

/** A row of the table of persons is not what this code writes. Names its fields, not their values. */
export class PersonRowError extends DrawbridgeError {
  override readonly name = 'PersonRowError';
}

export type PersonIndexDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  /** How long an event is kept, in days. */
  readonly retentionDays: number;
  readonly now: () => Date;
};

const { read } = createRowReader(
  (fields) =>
    new PersonRowError(`A row of the table of persons cannot be read: ${fields.join(', ')}. Find out what wrote it.`),
);

const row = z.object({ [personKeys.sort]: z.object({ S: z.string().check(z.regex(/^(?:kept|event)#/)) }) });

const concurrency = 10;
const secondsPerDay = 86_400;

/** The same UUID can be written in capitals; any other id is another one then. */
export function lowerCaseUuid(id: string): string {
  return uuid.safeParse(id).success ? id.toLowerCase() : id;
}

export function createPersonIndex({ dynamodb, tableName, retentionDays, now }: PersonIndexDeps): PersonIndex {
  const keyOf = (name: string, event: NamedEvent) => ({
    [personKeys.partition]: { S: name },
    [personKeys.sort]: { S: sortOf(event) },
  });

  async function findUnder(name: string): Promise<readonly NamedEvent[]> {
    const found: NamedEvent[] = [];
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
    add: async (event, names) => {
      const expiresAt = Math.floor(now().getTime() / 1_000) + retentionDays * secondsPerDay;
      await mapConcurrent(rowNames(names), concurrency, async (name) => {
        const Item = { ...keyOf(name, event), [personKeys.timeToLive]: { N: String(expiresAt) } };
        await dynamodb.send(new PutItemCommand({ TableName: tableName, Item }));
      });
    },
    find: async (names) => {
      const found = (await mapConcurrent(rowNames(names), concurrency, findUnder)).flat();
      return [...new Map(found.map((event) => [event.eventId, event])).values()];
    },
    remove: async (events, names) => {
      const keys = rowNames(names).flatMap((name) => events.map((event) => keyOf(name, event)));
      await mapConcurrent(keys, concurrency, async (Key) => {
        await dynamodb.send(new DeleteItemCommand({ TableName: tableName, Key }));
      });
    },
  };
}

function rowNames({ ids, onboardingIds }: PersonNames): readonly string[] {
  return [
    ...new Set([...ids.map((id) => `id#${lowerCaseUuid(id)}`), ...onboardingIds.map((id) => `onboarding#${id}`)]),
  ];
}

function sortOf({ eventId, isKept }: NamedEvent): string {
  return `${isKept ? 'kept' : 'event'}#${eventId}`;
}

function readRow(item: unknown): NamedEvent {
  const [kind, eventId = ''] = read(row, item)[personKeys.sort].S.split('#');
  return { eventId, isKept: kind === 'kept' };
}
