import { PutItemCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptMebibytes } from '#sandbox/scenario/common/process-memory.ts';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';

let fixture: FixtureHost;
beforeAll(async () => {
  fixture = await startFixture((stack) => {
    const partitionKey = { name: 'id', type: AttributeType.STRING };
    new Table(stack, 'Rows', { partitionKey, billingMode: BillingMode.PAY_PER_REQUEST });
  });
});
afterAll(() => fixture.close());

/** Below the 400 KB of an item. */
const mebibytesOfRow = 0.3;
const writes = 60;

const smallRows = 100;

describe('sandbox aws: DynamoDB', () => {
  it('keeps little more than its bytes for a small row, whatever else the process does', async () => {
    const { clients, blueprint } = fixture.host;
    const TableName = blueprint.tables[0]?.physicalName ?? '';
    const write = async (name: string) => {
      await clients.dynamodb.send(new PutItemCommand({ TableName, Item: { id: { S: name } } }));
      for (let part = 0; part < 100; part += 1) Buffer.from('other work '.repeat(100));
    };
    await write('first');
    const before = await keptMebibytes();
    for (let written = 0; written < smallRows; written += 1) await write(`small ${written}`);
    expect((await keptMebibytes()) - before).toBeLessThan(smallRows * 0.02);
  });

  it('keeps no earlier version of a row in memory after a query or a scan', async () => {
    const { clients, blueprint } = fixture.host;
    const TableName = blueprint.tables[0]?.physicalName ?? '';
    const id = { S: 'one' };
    const query = { KeyConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': id } };
    const write = async (text: string) => {
      const value = { S: text.repeat(mebibytesOfRow * 1_024 * 1_024) };
      await clients.dynamodb.send(new PutItemCommand({ TableName, Item: { id, value } }));
      const { Count } = await clients.dynamodb.send(new QueryCommand({ TableName, Select: 'COUNT', ...query }));
      await clients.dynamodb.send(new ScanCommand({ TableName, Select: 'COUNT' }));
      expect(Count).toBe(1);
    };
    await write('a');
    const before = await keptMebibytes();
    for (let written = 0; written < writes; written += 1) await write('b');
    expect((await keptMebibytes()) - before).toBeLessThan((writes * mebibytesOfRow) / 3);
  });
});
