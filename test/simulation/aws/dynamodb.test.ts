import {
  type AttributeValue,
  BatchGetItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { size } from '#test/full-size.ts';
import type { Emulators } from '#test/shared/aws/emulators.ts';
import { startHttpEmulators } from '#test/shared/aws/http-emulators.ts';
import { simulatedTables } from '#test/simulation/declared.ts';
import type { Command } from './commands.ts';
import { createDynamoDb } from './dynamodb.ts';
import { NotSimulatedError } from './expression-reader.ts';
import { type Answer, expectSameAnswers } from './same-answers.ts';

let emulators: Emulators;
beforeAll(async () => {
  emulators = await startHttpEmulators();
  await emulators.createTable('entities', 'entities');
});
afterAll(() => emulators.close());

const key = fc.constantFrom('a', 'b', 'c');
const number = fc.integer({ min: 0, max: 3 }).map((value) => ({ N: String(value) }));
const set = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }).map((SS) => ({ SS }));

/** The commands of the event store and the checkpoint on a table with one key. */
const onEvents = (TableName: string) => {
  const Key = key.map((eventId) => ({ eventId: { S: eventId } }));
  const item = fc.record({ key: Key, expiresAt: number, deliveries: number, deliveryIds: set });
  return fc.oneof(
    Key.map((one) => new GetItemCommand({ TableName, Key: one, ConsistentRead: true })),
    item.map(({ key: one, ...rest }) => new PutItemCommand({ TableName, Item: { ...one, ...rest } })),
    fc.tuple(item, number).map(
      ([{ key: one, ...rest }, now]) =>
        new PutItemCommand({
          TableName,
          Item: { ...one, ...rest },
          ConditionExpression: 'attribute_not_exists(eventId) OR expiresAt <= :now',
          ExpressionAttributeValues: { ':now': now },
        }),
    ),
    fc.tuple(item, number).map(
      ([{ key: one, ...rest }, version]) =>
        new PutItemCommand({
          TableName,
          Item: { ...one, ...rest, version },
          ConditionExpression: '#version = :version',
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: { ':version': version },
        }),
    ),
    fc.tuple(Key, fc.constantFrom('x', 'y', 'z')).map(
      ([one, id]) =>
        new UpdateItemCommand({
          TableName,
          Key: one,
          UpdateExpression: 'ADD deliveries :one, deliveryIds :ids',
          ConditionExpression: 'attribute_exists(eventId) AND NOT contains(deliveryIds, :id)',
          ExpressionAttributeValues: { ':one': { N: '1' }, ':ids': { SS: [id] }, ':id': { S: id } },
          ReturnValues: 'UPDATED_NEW',
        }),
    ),
    fc.tuple(Key, set).map(
      ([one, oldest]) =>
        new UpdateItemCommand({
          TableName,
          Key: one,
          UpdateExpression: 'DELETE deliveryIds :oldest',
          ExpressionAttributeValues: { ':oldest': oldest },
        }),
    ),
    fc.tuple(Key, number).map(
      ([one, value]) =>
        new UpdateItemCommand({
          TableName,
          Key: one,
          UpdateExpression: 'SET #reason = :reason REMOVE deliveries',
          ConditionExpression: 'attribute_not_exists(#reason) OR (deliveries > :reason AND #reason <> :reason)',
          ExpressionAttributeNames: { '#reason': 'reason' },
          ExpressionAttributeValues: { ':reason': value },
          ReturnValues: 'ALL_NEW',
        }),
    ),
    Key.map((one) => new DeleteItemCommand({ TableName, Key: one })),
    Key.map(
      (one) =>
        new GetItemCommand({
          TableName,
          Key: one,
          ConsistentRead: true,
          ProjectionExpression: 'eventId, deliveries, reason',
        }),
    ),
    fc.tuple(number, number).map(
      ([least, most]) =>
        new ScanCommand({
          TableName,
          FilterExpression: 'expiresAt > :least AND deliveries BETWEEN :least AND :most',
          ExpressionAttributeValues: { ':least': least, ':most': { N: String(Number(least.N) + Number(most.N)) } },
          ProjectionExpression: 'eventId, expiresAt',
        }),
    ),
  );
};

/** The commands of the entity store on a table with two keys and an index. */
const onEntities = (TableName: string) => {
  const Key = fc.record({
    entity: fc.constantFrom('ORDER#1', 'ORDER#2').map((S) => ({ S })),
    item: fc.constantFrom('state', 'event#1', 'event#2').map((S) => ({ S })),
  });
  const index = fc.record({ readBackShard: fc.constant({ S: '0' }), toReadBackSince: key.map((S) => ({ S })) });
  const query = { TableName, ExpressionAttributeValues: { ':entity': { S: 'ORDER#1' } } };
  return fc.oneof(
    fc
      .tuple(Key, fc.option(index, { nil: undefined }), number)
      .map(([one, more, version]) => new PutItemCommand({ TableName, Item: { ...one, ...more, version } })),
    fc.tuple(Key, number).map(
      ([one, version]) =>
        new PutItemCommand({
          TableName,
          Item: { ...one, version },
          ConditionExpression: 'attribute_not_exists(version)',
        }),
    ),
    Key.map((one) => new DeleteItemCommand({ TableName, Key: one })),
    fc.record({ limit: fc.constantFrom(undefined, 1, 2), ascending: fc.boolean() }).map(
      ({ limit, ascending }) =>
        new QueryCommand({
          ...query,
          KeyConditionExpression: 'entity = :entity',
          ConsistentRead: true,
          Limit: limit,
          ScanIndexForward: ascending,
        }),
    ),
    number.map(
      (version) =>
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'entity = :entity AND begins_with(#item, :prefix)',
          FilterExpression: 'version >= :version',
          ExpressionAttributeNames: { '#item': 'item' },
          ExpressionAttributeValues: { ':entity': { S: 'ORDER#1' }, ':prefix': { S: 'event#' }, ':version': version },
        }),
    ),
    key.map(
      (since) =>
        new QueryCommand({
          TableName,
          IndexName: 'toReadBack',
          KeyConditionExpression: 'readBackShard = :shard AND toReadBackSince <= :since',
          ExpressionAttributeValues: { ':shard': { S: '0' }, ':since': { S: since } },
        }),
    ),
  );
};

/** Items of an index with equal keys have no order, and neither does a set. */
function normalised(answer: Answer): unknown {
  return JSON.parse(JSON.stringify(answer), (name, value) => {
    if (name === 'SS') return value.toSorted();
    return name === 'Items' ? value.map(describeItem).toSorted() : value;
  });
}

function describeItem(item: object): string {
  return JSON.stringify(Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

async function expectSame(commands: readonly Command[], table: keyof typeof simulatedTables, name: string) {
  const { perform } = createDynamoDb({ [name]: simulatedTables[table] });
  await expectSameAnswers(emulators.dynamodb, perform, commands, normalised);
}

const events = ['a', 'b', 'c'].map((eventId) => ({ eventId: { S: eventId } }));
const entities = ['ORDER#1', 'ORDER#2'].flatMap((entity) =>
  ['state', 'event#1', 'event#2'].map((item) => ({ entity: { S: entity }, item: { S: item } })),
);

describe('the simulated DynamoDB beside dynalite', { timeout: 300_000 }, () => {
  it('answers like dynalite to commands on the events table', async () => {
    const TableName = emulators.tableName;
    const emptied = events.map((Key) => new DeleteItemCommand({ TableName, Key }));
    await fc.assert(
      fc.asyncProperty(fc.array(onEvents(TableName), { maxLength: 30 }), async (commands) => {
        await expectSame([...emptied, ...commands], 'events', TableName);
      }),
      { numRuns: size(25, 100) },
    );
  });

  it('answers like dynalite to commands on the entities table and its index', async () => {
    const emptied = entities.map((Key) => new DeleteItemCommand({ TableName: 'entities', Key }));
    await fc.assert(
      fc.asyncProperty(fc.array(onEntities('entities'), { maxLength: 30 }), async (commands) => {
        await expectSame([...emptied, ...commands], 'entities', 'entities');
      }),
      { numRuns: size(25, 100) },
    );
  });

  it('answers like dynalite to batches of keys', async () => {
    const TableName = emulators.tableName;
    const keys = Array.from({ length: 101 }, (_, index) => ({ eventId: { S: `key-${index}` } }));
    const batch = (Keys: readonly object[], more: object = {}) =>
      new BatchGetItemCommand({
        RequestItems: { [TableName]: { Keys: [...Keys], ConsistentRead: true, ...more } } as never,
      });
    await expectSame(
      [
        new PutItemCommand({ TableName, Item: { ...keys[0], deliveries: { N: '1' } } }),
        batch(keys.slice(0, 1)),
        batch(keys.slice(0, 1), { ProjectionExpression: 'eventId' }),
        batch(keys.slice(0, 100)),
        batch(keys.slice(1, 3)),
        batch([]),
        batch(keys),
        batch([...keys.slice(0, 2), ...keys.slice(0, 1)]),
        batch([{}]),
      ],
      'events',
      TableName,
    );
  });

  it('answers like dynalite to an unknown table and to a value of the wrong type', async () => {
    const TableName = emulators.tableName;
    const Key = { eventId: { S: 'misfit' } };
    const add = { UpdateExpression: 'ADD deliveries :one', ExpressionAttributeValues: { ':one': { N: '1' } } };
    await expectSame(
      [
        new GetItemCommand({ TableName: 'nowhere', Key }),
        new PutItemCommand({ TableName, Item: { ...Key, deliveries: { S: 'many' } } }),
        new UpdateItemCommand({ TableName, Key, ...add }),
        new GetItemCommand({ TableName, Key: { eventId: { S: '' } } }),
      ],
      'events',
      TableName,
    );
  });
});

describe('the simulated DynamoDB without an emulator', () => {
  const { perform } = createDynamoDb({ events: simulatedTables.events });
  const Key = { eventId: { S: 'a' } };
  const update = { TableName: 'events', Key, ExpressionAttributeValues: { ':one': { N: '1' } } };

  it.each<readonly [string, Command]>([
    ['a command', new TransactWriteItemsCommand({ TransactItems: [] })],
    ['an option', new GetItemCommand({ TableName: 'events', Key, ReturnConsumedCapacity: 'TOTAL' })],
    ['a function', new UpdateItemCommand({ ...update, UpdateExpression: 'SET a = list_append(a, :one)' })],
    ['arithmetic', new UpdateItemCommand({ ...update, UpdateExpression: 'SET a = a + :one' })],
    ['a path', new UpdateItemCommand({ ...update, UpdateExpression: 'SET a.b = :one' })],
    ['a placeholder', new UpdateItemCommand({ ...update, UpdateExpression: 'SET a = :two' })],
    ['a comparison', new PutItemCommand({ TableName: 'events', Item: Key, ConditionExpression: 'a IN (:one)' })],
  ])('throws NotSimulatedError for %s that it does not support', (_, command) => {
    expect(() => perform(command)).toThrow(NotSimulatedError);
  });
});

/** DynamoDB keeps texts in UTF-8. The emulator keeps any text, so the two are not compared. */
describe('the simulated DynamoDB on invalid Unicode', () => {
  const { perform } = createDynamoDb({ events: simulatedTables.events });
  const Key = { eventId: { S: 'a' } };

  it.each<readonly [string, AttributeValue]>([
    ['in a text', { S: 'a\ud800' }],
    ['in a set', { SS: ['a', '\udfff'] }],
  ])('refuses a lone surrogate %s', (_, value) => {
    expect(() => perform(new PutItemCommand({ TableName: 'events', Item: { ...Key, value } }))).toThrow('surrogate');
    expect(perform(new GetItemCommand({ TableName: 'events', Key }))).toEqual({ Item: undefined });
  });
});
