import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { closeImmediately, listenOn, portOf } from '#sandbox/net/server.ts';
import { type AwsAnswer, type AwsService, forwardTo } from './aws-service.ts';

/** DynamoDB by dynalite, in memory. It knows no transactions, streams or TTL: the product needs none of them. */
export async function startDynamoDb(): Promise<AwsService> {
  const server = dynalite({ createTableMs: 0 });
  await listenOn(server, 0);
  return closeWhenIdle(forwardTo(`http://127.0.0.1:${portOf(server)}`, () => closeImmediately(server)));
}

/** dynalite ends the process when it is closed during a call, such as the last one of a function that was killed. */
function closeWhenIdle({ handle, close }: AwsService): AwsService {
  const pending = new Set<Promise<AwsAnswer>>();
  let isClosing = false;
  return {
    handle: async (call) => {
      if (isClosing) throw new Error('The tables are closed.');
      const answer = handle(call);
      pending.add(answer);
      try {
        return await answer;
      } finally {
        pending.delete(answer);
      }
    },
    close: async () => {
      isClosing = true;
      await Promise.allSettled(pending);
      await close();
    },
  };
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
