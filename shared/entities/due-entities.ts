import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { ifConditionHolds } from '#shared/aws/dynamodb.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import {
  type DueLane,
  type DuePlace,
  dueLaneOf,
  type EntityKey,
  entityKeys,
  entityShards,
  keyOfState,
  readKey,
  readState,
  stateKey,
  writeDuePlace,
} from './entity-row.ts';
import { isErased, type LiveRow } from './plan-merge.ts';

/** Where a list continues. All keys of the table are text. */
export const listingStart = z.record(z.string(), z.string());

export type ListingStart = z.infer<typeof listingStart>;

/** Where to begin, and how many items to read at most. */
export type ListingOptions = { readonly start?: ListingStart | undefined; readonly most: number };

/** A part of a list, and where the list continues; undefined at its end. */
export type Listed<Item> = { readonly items: readonly Item[]; readonly next: ListingStart | undefined };

/** Where a list of several parts continues: by part, or that the part is over. A part that is missing has not begun. */
export const listPositions = z.record(z.string(), z.union([listingStart, z.literal('end')]));

export type ListPositions = z.infer<typeof listPositions>;

/** The next page of every part of a list that is not over. */
export type ListedParts<Item> = { readonly items: readonly Item[]; readonly next: ListPositions };

export type PartsOptions = {
  readonly from: ListPositions;
  /** Items of each part at most. */
  readonly most: number;
};

/** An entity that is not erased, as it was read. */
export type LiveEntity = { readonly key: EntityKey; readonly row: LiveRow };

/** An entity of the index, and its time there. */
export type DueEntity = { readonly key: EntityKey; readonly since: string };

/**
 * The entities that expect a report, and the index by which they are found. What was written a moment ago may be missing in a list, or
 * be there still: `load` gives the entity as it is.
 */
export type DueEntities = {
  /** Entities of a lane up to a time, of all shards concurrently; the longest waiting of a page first. */
  readonly list: (lane: DueLane, upTo: string, options: PartsOptions) => Promise<ListedParts<DueEntity>>;
  /** Undefined if there is none, and if it is erased. */
  readonly load: (key: EntityKey) => Promise<LiveRow | undefined>;
  /**
   * Gives an entity another place in the index, or none, and leaves its version as it is.
   *
   * @returns false if the entity was written since it was read: then its place is that of the write
   */
  readonly place: (entity: LiveEntity, place: DuePlace | undefined) => Promise<boolean>;
  /** Entities without a place in the index, in segments of the table that are read concurrently. Reads the whole table. */
  readonly listUnplaced: (options: PartsOptions) => Promise<ListedParts<LiveEntity>>;
};

/** Segments of the table. Lambda has less than one processor for them. */
export const tableSegments = ['0', '1', '2', '3', '4', '5', '6', '7'] as const;

/** Whether every part of a list was read to its end. */
export function isListOver(positions: ListPositions, parts: readonly string[]): boolean {
  return parts.every((part) => positions[part] === 'end');
}

export function createDueEntities({
  dynamodb,
  tableName: TableName,
}: {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
}): DueEntities {
  const { sort, due } = entityKeys;

  async function list(lane: DueLane, upTo: string, options: PartsOptions): Promise<ListedParts<DueEntity>> {
    const listed = await readParts(entityShards, options, async (shard, { start, most: Limit }) => {
      const { Items = [], LastEvaluatedKey } = await dynamodb.send(
        new QueryCommand({
          TableName,
          IndexName: due.index,
          KeyConditionExpression: '#lane = :lane AND #since <= :upTo',
          ExpressionAttributeNames: { '#lane': due.partition, '#since': due.sort },
          ExpressionAttributeValues: { ':lane': { S: dueLaneOf(lane, shard) }, ':upTo': { S: upTo } },
          ExclusiveStartKey: start && toKey(start),
          Limit,
        }),
      );
      const items = Items.map((item) => ({ key: readKey(item), since: item[due.sort]?.S ?? '' }));
      return { items, next: LastEvaluatedKey && toStart(LastEvaluatedKey) };
    });
    return { ...listed, items: listed.items.toSorted((one, other) => (one.since < other.since ? -1 : 1)) };
  }

  async function load(key: EntityKey): Promise<LiveRow | undefined> {
    const { Item } = await dynamodb.send(new GetItemCommand({ TableName, Key: keyOfState(key), ConsistentRead: true }));
    const row = Item && readState(Item);
    return row === undefined || isErased(row) ? undefined : row;
  }

  async function place({ key, row }: LiveEntity, to: DuePlace | undefined): Promise<boolean> {
    const { [due.partition]: lane, [due.sort]: since } = to === undefined ? {} : writeDuePlace(key, to);
    const command = new UpdateItemCommand({
      TableName,
      Key: keyOfState(key),
      UpdateExpression: to === undefined ? 'REMOVE #lane, #since' : 'SET #lane = :lane, #since = :since',
      ConditionExpression: 'version = :read',
      ExpressionAttributeNames: { '#lane': due.partition, '#since': due.sort },
      ExpressionAttributeValues: {
        ':read': { N: String(row.version) },
        ...(lane && since && { ':lane': lane, ':since': since }),
      },
    });
    return (await ifConditionHolds(dynamodb.send(command))) !== undefined;
  }

  function listUnplaced(options: PartsOptions): Promise<ListedParts<LiveEntity>> {
    return readParts(tableSegments, options, async (segment, { start, most: Limit }) => {
      const { Items = [], LastEvaluatedKey } = await dynamodb.send(
        new ScanCommand({
          TableName,
          // Events of timelines are in the table as well.
          FilterExpression: '#item = :state AND attribute_not_exists(#lane) AND attribute_not_exists(erasedOn)',
          ExpressionAttributeNames: { '#item': sort, '#lane': due.partition },
          ExpressionAttributeValues: { ':state': { S: stateKey } },
          ExclusiveStartKey: start && toKey(start),
          Limit,
          Segment: tableSegments.indexOf(segment),
          TotalSegments: tableSegments.length,
        }),
      );
      const rows = Items.map((item) => ({ key: readKey(item), row: readState(item) }));
      const items = rows.flatMap(({ key, row }) => (isErased(row) ? [] : [{ key, row }]));
      return { items, next: LastEvaluatedKey && toStart(LastEvaluatedKey) };
    });
  }

  return { list, load, place, listUnplaced };
}

async function readParts<Part extends string, Item>(
  parts: readonly Part[],
  { from, most }: PartsOptions,
  readPage: (part: Part, options: ListingOptions) => Promise<Listed<Item>>,
): Promise<ListedParts<Item>> {
  const pages = await mapConcurrent(parts, parts.length, async (part) => {
    const start = from[part];
    if (start === 'end') return { part, items: [], next: start };
    const { items, next = 'end' } = await readPage(part, { start, most });
    return { part, items, next } as const;
  });
  return {
    items: pages.flatMap(({ items }) => items),
    next: Object.fromEntries(pages.map(({ part, next }) => [part, next])),
  };
}

function toKey(start: ListingStart): Record<string, AttributeValue> {
  return Object.fromEntries(Object.entries(start).map(([name, S]) => [name, { S }]));
}

function toStart(key: Readonly<Record<string, AttributeValue>>): ListingStart {
  return Object.fromEntries(Object.entries(key).map(([name, { S = '' }]) => [name, S]));
}
