import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ResourceNotFoundException,
  ScanCommand,
  type ScanCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Item } from './attribute-value.ts';
import { createService, operation, type Service } from './commands.ts';
import { readCondition } from './condition-expression.ts';
import { createTable, type IndexKeys, pick, type Table, type TableKeys, validationError } from './dynamodb-table.ts';
import { NotSimulatedError } from './expression-reader.ts';
import { readUpdate, UpdateTypeError } from './update-expression.ts';

export type DynamoDb = {
  readonly perform: Service;
  /** @throws ResourceNotFoundException */
  readonly table: (name: string | undefined) => Table;
};

export type DynamoDbDeps = {
  /** Whether a read that is not consistent sees what was there before. */
  readonly isStale?: () => boolean;
  /** Whether an index does not have yet what was written just now. */
  readonly isIndexStale?: () => boolean;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
};

type Expressions = Pick<
  UpdateItemCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

const expressions = ['ConditionExpression', 'ExpressionAttributeNames', 'ExpressionAttributeValues'] as const;

/** DynamoDB in memory: the operations and expressions that the functions use, and refuses any other. */
export function createDynamoDb(
  declared: Readonly<Record<string, TableKeys>>,
  { isStale = () => false, isIndexStale = () => false, now }: DynamoDbDeps = {},
): DynamoDb {
  const tables = new Map(Object.entries(declared).map(([name, keys]) => [name, createTable(keys, now)]));

  function table(name: string | undefined): Table {
    const found = tables.get(name ?? '');
    if (found !== undefined) return found;
    throw new ResourceNotFoundException({ message: 'Requested resource not found', $metadata: {} });
  }

  const perform = createService([
    operation(GetItemCommand, ['TableName', 'Key', 'ConsistentRead'], ({ TableName, Key = {}, ConsistentRead }) => {
      const from = table(TableName);
      return { Item: ConsistentRead !== true && isStale() ? from.getStale(Key) : from.get(Key) };
    }),
    operation(PutItemCommand, ['TableName', 'Item', ...expressions], ({ TableName, Item = {}, ...given }) => {
      const into = table(TableName);
      check(into.get(Item), given);
      into.put(Item);
      return {};
    }),
    operation(DeleteItemCommand, ['TableName', 'Key', ...expressions], ({ TableName, Key = {}, ...given }) => {
      const from = table(TableName);
      check(from.get(Key), given);
      from.remove(Key);
      return {};
    }),
    operation(
      UpdateItemCommand,
      ['TableName', 'Key', 'UpdateExpression', 'ReturnValues', ...expressions],
      ({ TableName, ...given }) => update(table(TableName), given),
    ),
    operation(
      QueryCommand,
      [
        'TableName',
        'IndexName',
        'ConsistentRead',
        'KeyConditionExpression',
        'FilterExpression',
        'ExpressionAttributeNames',
        'ExpressionAttributeValues',
        'ExclusiveStartKey',
        'Limit',
        'ScanIndexForward',
        'Select',
      ],
      ({ TableName, ...given }) => query(table(TableName), given, isIndexStale),
    ),
    operation(
      ScanCommand,
      [
        'TableName',
        'Segment',
        'TotalSegments',
        'ConsistentRead',
        'FilterExpression',
        'ProjectionExpression',
        'Limit',
        'ExclusiveStartKey',
      ],
      ({ TableName, ...given }) => scan(table(TableName), given),
    ),
  ]);

  return { perform, table };
}

/** @throws ConditionalCheckFailedException */
function check(item: Item | undefined, { ConditionExpression, ...given }: Expressions): void {
  if (ConditionExpression === undefined || meets(item ?? {}, ConditionExpression, given)) return;
  throw new ConditionalCheckFailedException({ message: 'The conditional request failed', $metadata: {} });
}

function scopeOf(item: Item, { ExpressionAttributeNames: names, ExpressionAttributeValues: values }: Expressions) {
  return { item, names, values };
}

function update(into: Table, { Key = {}, UpdateExpression = '', ReturnValues = 'NONE', ...given }: Given): object {
  const before = into.get(Key);
  check(before, given);
  const changes = changesOf(UpdateExpression, before ?? Key, given);
  const after = Object.fromEntries(
    [...Object.entries(before ?? Key).filter(([name]) => !changes.has(name)), ...changes].flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
  into.put(after);
  if (ReturnValues === 'NONE') return {};
  if (ReturnValues === 'ALL_NEW') return { Attributes: after };
  if (ReturnValues !== 'UPDATED_NEW') throw new NotSimulatedError(`The simulation does not know ${ReturnValues}.`);
  const changed = Object.entries(after).filter(([name]) => changes.has(name));
  return changed.length === 0 ? {} : { Attributes: Object.fromEntries(changed) };
}

type Given = Omit<UpdateItemCommandInput, 'TableName'>;

function changesOf(expression: string, item: Item, given: Expressions) {
  try {
    return readUpdate(expression)(scopeOf(item, given));
  } catch (error) {
    throw error instanceof UpdateTypeError ? validationError(error.message) : error;
  }
}

function query(from: Table, given: Omit<QueryCommandInput, 'TableName'>, isStale: () => boolean): object {
  const { KeyConditionExpression = '', FilterExpression, IndexName, Limit, Select } = given;
  const index = IndexName === undefined ? undefined : indexOf(from, IndexName);
  const matches = readCondition(KeyConditionExpression);
  const found = (index === undefined ? from.all() : from.allOf(index, isStale)).filter((item) =>
    matches(scopeOf(item, given)),
  );
  const left = after(from, given.ExclusiveStartKey, given.ScanIndexForward === false ? found.toReversed() : found);
  const page = left.slice(0, Limit);
  const Items = FilterExpression === undefined ? page : page.filter((item) => meets(item, FilterExpression, given));
  const last = page.length === Limit ? page.at(-1) : undefined;
  return {
    Count: Items.length,
    ScannedCount: page.length,
    ...(Select !== 'COUNT' && { Items }),
    ...(last !== undefined && { LastEvaluatedKey: pick(last, keyNamesOf(from, index)) }),
  };
}

/** All of it is in the first segment. */
function scan(from: Table, given: Omit<ScanCommandInput, 'TableName'>): object {
  const { Segment = 0, FilterExpression, ProjectionExpression, Limit, ExclusiveStartKey } = given;
  const left = Segment === 0 ? after(from, ExclusiveStartKey, from.all()) : [];
  const page = left.slice(0, Limit);
  const found = FilterExpression === undefined ? page : page.filter((item) => meets(item, FilterExpression, given));
  const names = ProjectionExpression?.split(', ');
  const Items = names === undefined ? found : found.map((item) => pick(item, names));
  const last = page.length === Limit ? page.at(-1) : undefined;
  return { Items, ...(last !== undefined && { LastEvaluatedKey: pick(last, from.keyNames) }) };
}

function meets(item: Item, expression: string, given: Expressions): boolean {
  return readCondition(expression)(scopeOf(item, given));
}

function indexOf({ keys }: Table, name: string): IndexKeys {
  const index = keys.indexes?.find((one) => one.index === name);
  if (index === undefined) throw validationError('The table does not have the specified index');
  return index;
}

/** What follows where a page ended. */
function after(from: Table, key: Item | undefined, items: readonly Item[]): readonly Item[] {
  if (key === undefined) return items;
  const end = items.findIndex((item) => from.keyOf(item) === from.keyOf(key));
  if (end === -1) throw new NotSimulatedError('The simulation cannot go on after an item that is gone.');
  return items.slice(end + 1);
}

function keyNamesOf({ keyNames }: Table, index: IndexKeys | undefined): readonly string[] {
  if (index === undefined) return keyNames;
  return [...keyNames, index.partition, ...(index.sort === undefined ? [] : [index.sort])];
}
