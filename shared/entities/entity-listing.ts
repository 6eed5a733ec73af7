import { type AttributeValue, type DynamoDBClient, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { type EntityKey, type EntityRow, entityKeys, readKey, readState, stateKey } from './entity-row.ts';

/** Where a list continues. All keys of the table are text. */
export const listingStart = z.record(z.string(), z.string());

export type ListingStart = z.infer<typeof listingStart>;

/** Where to begin, and how many items to read at most. */
export type ListingOptions = { readonly start?: ListingStart | undefined; readonly most: number };

/** A part of a list, and where the list continues; undefined at its end. */
export type Listed<Item> = { readonly items: readonly Item[]; readonly next: ListingStart | undefined };

/** Finds entities without knowing their ids. What was written a moment ago may be missing, or be there still. */
export type EntityListing = {
  /** The entities of a shard that are to be read back from the platform, the longest waiting first. */
  readonly toReadBack: (shard: string, options: ListingOptions) => Promise<Listed<EntityKey>>;
  /** Every entity, erased ones included, in no order. Reads the whole table. */
  readonly all: (options: ListingOptions) => Promise<Listed<{ readonly key: EntityKey; readonly row: EntityRow }>>;
};

export type EntityListingDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
};

export function createEntityListing({ dynamodb, tableName: TableName }: EntityListingDeps): EntityListing {
  const { sort, readBack } = entityKeys;

  async function toReadBack(shard: string, { start, most: Limit }: ListingOptions): Promise<Listed<EntityKey>> {
    const { Items = [], LastEvaluatedKey } = await dynamodb.send(
      new QueryCommand({
        TableName,
        IndexName: readBack.index,
        KeyConditionExpression: '#shard = :shard',
        ExpressionAttributeNames: { '#shard': readBack.partition },
        ExpressionAttributeValues: { ':shard': { S: shard } },
        ExclusiveStartKey: start && toKey(start),
        Limit,
      }),
    );
    return { items: Items.map(readKey), next: LastEvaluatedKey && toStart(LastEvaluatedKey) };
  }

  async function all({ start, most: Limit }: ListingOptions) {
    const { Items = [], LastEvaluatedKey } = await dynamodb.send(
      new ScanCommand({
        TableName,
        // Events of timelines are in the table as well.
        FilterExpression: '#item = :state',
        ExpressionAttributeNames: { '#item': sort },
        ExpressionAttributeValues: { ':state': { S: stateKey } },
        ExclusiveStartKey: start && toKey(start),
        Limit,
      }),
    );
    const items = Items.map((item) => ({ key: readKey(item), row: readState(item) }));
    return { items, next: LastEvaluatedKey && toStart(LastEvaluatedKey) };
  }

  return { toReadBack, all };
}

function toKey(start: ListingStart): Record<string, AttributeValue> {
  return Object.fromEntries(Object.entries(start).map(([name, S]) => [name, { S }]));
}

function toStart(key: Readonly<Record<string, AttributeValue>>): ListingStart {
  return Object.fromEntries(Object.entries(key).map(([name, { S = '' }]) => [name, S]));
}
