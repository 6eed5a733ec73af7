import {
  type AttributeValue,
  BatchGetItemCommand,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Emulators } from '#test/shared/aws/emulators.ts';
import { startHttpEmulators } from '#test/shared/aws/http-emulators.ts';
import { simulatedTables } from '#test/simulation/declared.ts';
import type { Command } from './commands.ts';
import { createDynamoDb } from './dynamodb.ts';
import { NotSimulatedError } from './expression-reader.ts';
import { expectSameAnswers } from './same-answers.ts';

let emulators: Emulators;
beforeAll(async () => {
  emulators = await startHttpEmulators();
});
afterAll(() => emulators.close());

async function expectSame(commands: readonly Command[], table: string) {
  const { perform } = createDynamoDb({ [table]: simulatedTables.events });
  await expectSameAnswers(emulators.dynamodb, perform, commands);
}

describe('the simulated DynamoDB beside dynalite', { timeout: 300_000 }, () => {
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
