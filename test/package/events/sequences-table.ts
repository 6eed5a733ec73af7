import { DynamoDB } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { closeImmediately, listenOn, portOf } from '#sandbox/net/server.ts';

export type SequencesTable = Awaited<ReturnType<typeof createSequencesTable>>;

/** DynamoDB in memory, with a table of sequences. */
export async function createSequencesTable() {
  const server = dynalite({ createTableMs: 0 });
  await listenOn(server, 0);
  const endpoint = `http://127.0.0.1:${portOf(server)}`;
  const tableName = 'sequences';
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const dynamoDb = new DynamoDB({ endpoint, region: 'eu-central-1', credentials });
  await dynamoDb.createTable({
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'key', AttributeType: 'S' }],
  });
  const close = async () => {
    dynamoDb.destroy();
    await closeImmediately(server);
  };
  return { dynamoDb, tableName, endpoint, close };
}
