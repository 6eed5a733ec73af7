import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { closeImmediately, listenOn, portOf } from '#sandbox/net/server.ts';
import { type AwsService, forwardTo } from './aws-service.ts';

/** DynamoDB by dynalite, in memory. It knows no transactions, streams or TTL: the product needs none of them. */
export async function startDynamoDb(): Promise<AwsService> {
  const server = dynalite({ createTableMs: 0 });
  await listenOn(server, 0);
  return forwardTo(`http://127.0.0.1:${portOf(server)}`, () => closeImmediately(server));
}

/** Creates the tables that the stacks declare. */
export async function createTables(tables: Blueprint['tables'], dynamodb: DynamoDBClient): Promise<void> {
  for (const { physicalName, properties } of tables) {
    await dynamodb.send(
      new CreateTableCommand({
        TableName: physicalName,
        BillingMode: properties.BillingMode,
        KeySchema: properties.KeySchema,
        AttributeDefinitions: properties.AttributeDefinitions,
        GlobalSecondaryIndexes: properties.GlobalSecondaryIndexes,
      }),
    );
  }
}
