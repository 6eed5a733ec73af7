import {
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
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
import { compareValues, type Item } from './attribute-value.ts';
import { createService, operation, type Service } from './commands.ts';
import { readCondition } from './condition-expression.ts';
import { createTable, type IndexKeys, pick, type Table, type TableKeys, validationError } from './dynamodb-table.ts';
import { NotSimulatedError } from './expression-reader.ts';
import { readUpdate, UpdateTypeError } from './update-expression.ts';

export type DynamoDb = {
  readonly perform: Service;
  /** @throws ResourceNotFoundException */
  readonly table: (name: string | undefined) => Table;
  /** Adds a table, or replaces it by an empty one. */
  readonly add: (name: string, keys: TableKeys) => void;
};

export type DynamoDbDeps = {
  /** Whether an eventually consistent read returns the previous version. */
  readonly isStale?: () => boolean;
};

type Expressions = Pick<
  UpdateItemCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

const expressions = ['ConditionExpression', 'ExpressionAttributeNames', 'ExpressionAttributeValues'] as const;

/** DynamoDB in memory with the operations and expressions that the functions use. All others throw. */
export function createDynamoDb(
  declared: Readonly<Record<string, TableKeys>>,
  { isStale = () => false }: DynamoDbDeps = {},
): DynamoDb {
  const tables = new Map(Object.entries(declared).map(([name, keys]) => [name, createTable(keys)]));

  function table(name: string | undefined): Table {
    const found = tables.get(name ?? '');
    if (found !== undefined) return found;
    throw new ResourceNotFoundException({ message: 'Requested resource not found', $metadata: {} });
  }

  const perform = createService([
    operation(
      GetItemCommand,
      ['TableName', 'Key', 'ConsistentRead', 'ProjectionExpression'],
      ({ TableName, Key = {}, ConsistentRead, ProjectionExpression }) => {
        const from = table(TableName);
        const item = ConsistentRead !== true && isStale() ? from.getStale(Key) : from.get(Key);
        return { Item: item && project(item, ProjectionExpression) };
      },
    ),
    operation(BatchGetItemCommand, ['RequestItems'], ({ RequestItems = {} }) => batchGet(table, RequestItems)),
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
        'ProjectionExpression',
      ],
      ({ TableName, ...given }) => query(table(TableName), given, isStale),
    ),
    operation(
      ScanCommand,
      [
        'TableName',
        'IndexName',
        'ConsistentRead',
        'FilterExpression',
        'ExpressionAttributeNames',
        'ExpressionAttributeValues',
        'ExclusiveStartKey',
        'Limit',
        'Segment',
        'TotalSegments',
        'ProjectionExpression',
      ],
      ({ TableName, ...given }) => scan(table(TableName), given, isStale),
    ),
  ]);

  return { perform, table, add: (name, keys) => void tables.set(name, createTable(keys)) };
}

/** The maximum number of keys per call. */
const maxBatchKeys = 100;

/** @throws ResourceNotFoundException, and ValidationException for keys that DynamoDB refuses */
function batchGet(table: DynamoDb['table'], requested: NonNullable<BatchGetItemCommandInput['RequestItems']>): object {
  const requests = Object.entries(requested).map(
    ([name, { Keys = [], ConsistentRead, ProjectionExpression, ...rest }]) => {
      const strange = Object.keys(rest)[0];
      if (strange !== undefined) throw new NotSimulatedError(`The simulation does not know ${strange} of a batch.`);
      if (ConsistentRead !== true)
        throw new NotSimulatedError('The simulation knows consistent reads of a batch only.');
      return { name, from: table(name), keys: Keys, ProjectionExpression };
    },
  );
  const count = requests.reduce((sum, { keys }) => sum + keys.length, 0);
  if (requests.length === 0 || requests.some(({ keys }) => keys.length === 0) || count > maxBatchKeys)
    throw validationError('A batch has 1 to 100 keys.');
  for (const { from, keys } of requests)
    if (new Set(keys.map((key) => from.keyOf(key))).size < keys.length)
      throw validationError('Provided list of item keys contains duplicates');
  const responses = requests.map(({ name, from, keys, ProjectionExpression }) => {
    const found = keys.map((key) => from.get(key)).filter((item) => item !== undefined);
    return [name, found.map((item) => project(item, ProjectionExpression))] as const;
  });
  return { Responses: Object.fromEntries(responses), UnprocessedKeys: {} };
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
  if (ReturnValues === 'ALL_OLD') return before === undefined ? {} : { Attributes: before };
  if (ReturnValues !== 'UPDATED_NEW') throw new NotSimulatedError(`The simulation does not know ${ReturnValues}.`);
  const changed = Object.entries(after).filter(([name]) => changes.has(name));
  return changed.length === 0 ? {} : { Attributes: Object.fromEntries(changed) };
}

function changesOf(expression: string, item: Item, given: Expressions) {
  try {
    return readUpdate(expression)(scopeOf(item, given));
  } catch (error) {
    throw error instanceof UpdateTypeError ? validationError(error.message) : error;
  }
}

function query(from: Table, given: Omit<QueryCommandInput, 'TableName'>, isStale: () => boolean): object {
  const { KeyConditionExpression = '', IndexName, ScanIndexForward, ConsistentRead } = given;
  const index = indexOf(from, IndexName, ConsistentRead);
  const condition = readCondition(KeyConditionExpression);
  const matches = (item: Item) => condition(scopeOf(item, given));
  const found = index === undefined ? from.all(matches) : heldBy(from, index, isStale, matches);
  const sort = index === undefined ? from.keys.sort : index.sort;
  const isBefore = (one: Item, other: Item) => compareSortKeys(from, sort, one, other) < 0;
  return pageOf(from, given, {
    items: ScanIndexForward === false ? found.toReversed() : found,
    isBefore: ScanIndexForward === false ? (one, other) => isBefore(other, one) : isBefore,
    keyNames: keyNamesOf(from, index),
  });
}

/** What was written just now may be missing in an index. The functions read no partition of a table so. */
function heldBy(
  from: Table,
  index: IndexKeys,
  isStale: () => boolean,
  matches: (item: Item) => boolean = () => true,
): readonly Item[] {
  return isStale() ? from.allOfStale(index, matches) : from.allOf(index, matches);
}

/** In the order of a hash of the keys, as DynamoDB: so an item keeps its place, and its segment. */
function scan(from: Table, given: Omit<ScanCommandInput, 'TableName'>, isStale: () => boolean): object {
  const { Segment = 0, TotalSegments = 1, IndexName, ConsistentRead } = given;
  const index = indexOf(from, IndexName, ConsistentRead);
  const read = () => (ConsistentRead !== true && isStale() ? from.allStale() : from.all());
  const placed = (index === undefined ? read() : heldBy(from, index, isStale))
    .map((item) => ({ item, place: placeOf(from.keyOf(item)) }))
    .filter(({ place }) => place % TotalSegments === Segment)
    .toSorted((one, other) => one.place - other.place);
  return pageOf(from, given, {
    items: placed.map(({ item }) => item),
    isBefore: (one, other) => placeOf(from.keyOf(one)) < placeOf(from.keyOf(other)),
    keyNames: keyNamesOf(from, index),
  });
}

/** FNV-1a: quick, and spread well enough for segments. */
function placeOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

type Given = Omit<UpdateItemCommandInput, 'TableName'>;

type List = {
  /** All, in their order, and whether one comes before another in it. */
  readonly items: readonly Item[];
  readonly isBefore: (one: Item, other: Item) => boolean;
  /** What names the place of an item in the list. */
  readonly keyNames: readonly string[];
};

type PageOptions = Expressions &
  Pick<QueryCommandInput, 'FilterExpression' | 'Limit' | 'Select' | 'ExclusiveStartKey' | 'ProjectionExpression'>;

function pageOf(from: Table, given: PageOptions, { items, isBefore, keyNames }: List): object {
  const { FilterExpression, ExclusiveStartKey: start, Limit, Select, ProjectionExpression } = given;
  const page = (start === undefined ? items : after(from, start, items, isBefore)).slice(0, Limit);
  const found = FilterExpression === undefined ? page : page.filter((item) => meets(item, FilterExpression, given));
  const last = page.length === Limit ? page.at(-1) : undefined;
  return {
    Count: found.length,
    ScannedCount: page.length,
    ...(Select !== 'COUNT' && { Items: found.map((item) => project(item, ProjectionExpression)) }),
    ...(last !== undefined && { LastEvaluatedKey: pick(last, keyNames) }),
  };
}

/** Only names of attributes: no paths, and no placeholders. */
function project(item: Item, expression: string | undefined): Item {
  if (expression === undefined) return item;
  const names = expression.split(',').map((name) => name.trim());
  const strange = names.find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (strange !== undefined) throw new NotSimulatedError(`The simulation cannot project ${strange}.`);
  return pick(item, names);
}

/** By the sort key; items with equal sort keys also have a fixed order. */
function compareSortKeys(from: Table, sort: string | undefined, one: Item, other: Item): number {
  const [a, b] = sort === undefined ? [] : [one[sort], other[sort]];
  const order = a && b ? (compareValues(a, b) ?? 0) : 0;
  if (order !== 0) return order;
  const [first, second] = [from.keyOf(one), from.keyOf(other)];
  return Number(first > second) - Number(first < second);
}

function meets(item: Item, expression: string, given: Expressions): boolean {
  return readCondition(expression)(scopeOf(item, given));
}

function indexOf({ keys }: Table, name: string | undefined, isConsistent = false): IndexKeys | undefined {
  if (name === undefined) return undefined;
  const index = keys.indexes?.find((one) => one.index === name);
  if (index === undefined) throw validationError('The table does not have the specified index');
  if (isConsistent) throw validationError('Consistent reads are not supported on global secondary indexes');
  return index;
}

/** What follows where a page ended: the item may be gone by now. */
function after(from: Table, key: Item, items: readonly Item[], isBefore: List['isBefore']): readonly Item[] {
  const end = items.findIndex((item) => from.keyOf(item) === from.keyOf(key));
  return end === -1 ? items.filter((item) => isBefore(key, item)) : items.slice(end + 1);
}

function keyNamesOf({ keyNames }: Table, index: IndexKeys | undefined): readonly string[] {
  if (index === undefined) return keyNames;
  return [...keyNames, index.partition, ...(index.sort === undefined ? [] : [index.sort])];
}
