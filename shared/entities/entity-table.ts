import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { type BatchGet, ifConditionHolds } from '#shared/aws/dynamodb.ts';
import {
  type EntityKey,
  type EntityRow,
  entityKeys,
  isState,
  keyOfEvent,
  keyOfState,
  readEvent,
  readState,
  type TimelineEntry,
  writeEvent,
} from './entity-row.ts';

export type EntityTable = {
  /** The state of an entity as it is now, its latest events included. */
  readonly loadState: (key: EntityKey) => Promise<EntityRow | undefined>;
  /** The states of several entities, in one call. What cannot be read of one entity is thrown for that one. */
  readonly loadStates: (keys: readonly EntityKey[]) => Promise<(key: EntityKey) => EntityRow | undefined>;
  /** Events of entities that are not among the latest, in one call. */
  readonly loadEvents: (keys: readonly EventKey[]) => Promise<(key: EventKey) => TimelineEntry | undefined>;
  /** @returns false if the entity is at another version than the one that was read; 0 if there was none */
  readonly saveState: (item: Item, versionRead: number) => Promise<boolean>;
  /** Moves an event out of the state. It can be repeated: it says the same each time. */
  readonly moveEvent: (key: EntityKey, entry: TimelineEntry) => Promise<void>;
  /** @returns false if the event has spoken of the entity before */
  readonly addEvent: (key: EntityKey, entry: TimelineEntry) => Promise<boolean>;
  /** The state, and all events of an entity outside of it. */
  readonly loadAll: (key: EntityKey) => Promise<{ state: EntityRow | undefined; events: readonly TimelineEntry[] }>;
  /** Deletes all events of an entity. */
  readonly deleteEvents: (key: EntityKey) => Promise<void>;
};

export type EntityTableDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  readonly batchGet: BatchGet;
};

/** Names an event of an entity. */
export type EventKey = EntityKey & { readonly eventId: string };

type Item = Record<string, AttributeValue>;

/** Reads and writes the entities table. What the rows mean is the entity store's. */
export function createEntityTable({ dynamodb, tableName: TableName, batchGet }: EntityTableDeps): EntityTable {
  async function get(Key: Item): Promise<Item | undefined> {
    return (await dynamodb.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item;
  }

  async function putIf(Item: Item, ConditionExpression: string, values?: Item): Promise<boolean> {
    const ExpressionAttributeValues = values && { ExpressionAttributeValues: values };
    const command = new PutItemCommand({ TableName, Item, ConditionExpression, ...ExpressionAttributeValues });
    return (await ifConditionHolds(dynamodb.send(command))) !== undefined;
  }

  async function query(key: EntityKey): Promise<readonly Item[]> {
    const items: Item[] = [];
    let start: Item | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await dynamodb.send(
        new QueryCommand({
          TableName,
          ConsistentRead: true,
          KeyConditionExpression: `${entityKeys.partition} = :entity`,
          ExpressionAttributeValues: { ':entity': keyOfState(key)[entityKeys.partition] },
          ExclusiveStartKey: start,
        }),
      );
      items.push(...Items);
      start = LastEvaluatedKey;
    } while (start !== undefined);
    return items;
  }

  async function loadState(key: EntityKey): Promise<EntityRow | undefined> {
    const item = await get(keyOfState(key));
    return item && readState(item);
  }

  async function loadEach<Name, Row>(
    names: readonly Name[],
    keyOf: (name: Name) => Item,
    read: (item: Readonly<Item>) => Row,
  ): Promise<(name: Name) => Row | undefined> {
    const place = (name: Name) => ({ tableName: TableName, key: keyOf(name) });
    const itemOf = names.length === 0 ? () => undefined : await batchGet(names.map(place));
    const rows = new Map<Readonly<Item>, Row>();
    return (name) => {
      const item = itemOf(place(name));
      if (item === undefined) return undefined;
      const row = rows.get(item) ?? read(item);
      rows.set(item, row);
      return row;
    };
  }

  return {
    loadState,
    loadStates: (keys) => loadEach(keys, keyOfState, readState),
    loadEvents: (keys) => loadEach(keys, (key) => keyOfEvent(key, key.eventId), readEvent),
    saveState: (item, versionRead) =>
      versionRead === 0
        ? putIf(item, 'attribute_not_exists(version)')
        : putIf(item, 'version = :read', { ':read': { N: String(versionRead) } }),
    moveEvent: async (key, entry) => {
      await dynamodb.send(new PutItemCommand({ TableName, Item: writeEvent(key, entry) }));
    },
    addEvent: (key, entry) => putIf(writeEvent(key, entry), `attribute_not_exists(${entityKeys.partition})`),
    loadAll: async (key) => {
      const items = await query(key);
      const state = items.find(isState);
      return { state: state && readState(state), events: items.filter((item) => !isState(item)).map(readEvent) };
    },
    deleteEvents: async (key) => {
      for (const item of (await query(key)).filter((one) => !isState(one))) {
        const { [entityKeys.partition]: partition, [entityKeys.sort]: sort } = item;
        if (partition === undefined || sort === undefined) continue;
        const Key = { [entityKeys.partition]: partition, [entityKeys.sort]: sort };
        await dynamodb.send(new DeleteItemCommand({ TableName, Key }));
      }
    },
  };
}
