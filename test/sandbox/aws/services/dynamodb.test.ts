import { expect, it } from 'vitest';
import { startDynamoDb } from '#sandbox/aws/services/dynamodb.ts';

function call(operation: string, input: object) {
  return {
    operation,
    caller: undefined,
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      authorization:
        'AWS4-HMAC-SHA256 Credential=a/20260102/eu-central-1/dynamodb/aws4_request, SignedHeaders=a, Signature=a',
      'x-amz-date': '20260102T030405Z',
    },
    body: Buffer.from(JSON.stringify(input)),
    input: () => input,
  };
}

const table = {
  TableName: 'rows',
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
};

it('answers each call that began before it was closed, and refuses later ones', async () => {
  const { handle, close } = startDynamoDb();
  expect((await handle(call('CreateTable', table))).status).toBe(200);
  const put = (id: number) => handle(call('PutItem', { TableName: 'rows', Item: { id: { S: String(id) } } }));
  const puts = Array.from({ length: 100 }, (_, id) => put(id));
  const closed = close();
  await expect(put(100)).rejects.toThrow('The tables are closed.');
  const statuses = (await Promise.all(puts)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  await closed;
});
