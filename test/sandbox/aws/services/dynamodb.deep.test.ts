import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutItemCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptMebibytes } from '#sandbox/aws/lambda/kept-memory.ts';
import type { Declare } from '#test/sandbox/aws/fixture-assembly.ts';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';

const declareTable: Declare = (stack) => {
  const partitionKey = { name: 'id', type: AttributeType.STRING };
  new Table(stack, 'Rows', { partitionKey, billingMode: BillingMode.PAY_PER_REQUEST });
};

let fixture: FixtureHost;
beforeAll(async () => {
  fixture = await startFixture(declareTable);
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

  it('keeps no row in memory when the rows are in files', async () => {
    const tables = mkdtempSync(join(tmpdir(), 'tables-'));
    const storage = { tables, maxLogLines: 10, maxArchivedEvents: 10 };
    const { host, close } = await startFixture(declareTable, { storage });
    const TableName = host.blueprint.tables[0]?.physicalName ?? '';
    const write = (name: string) => {
      const value = { S: name.repeat(mebibytesOfRow * 1_024 * 1_024) };
      return host.clients.dynamodb.send(new PutItemCommand({ TableName, Item: { id: { S: name }, value } }));
    };
    await write('a');
    const before = await keptMebibytes();
    for (let written = 0; written < writes; written += 1) await write(String.fromCodePoint(0x62 + written));
    expect((await keptMebibytes()) - before).toBeLessThan((writes * mebibytesOfRow) / 3);
    const { Count } = await host.clients.dynamodb.send(new ScanCommand({ TableName, Select: 'COUNT' }));
    expect(Count).toBeGreaterThan(0);
    await close();
    rmSync(tables, { recursive: true });
  });
});
