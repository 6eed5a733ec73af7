import type { RequestListener } from 'node:http';
import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import inject from 'light-my-request';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { closeImmediately, singleHeaders } from '#sandbox/net/server.ts';
import { type AwsAnswer, type AwsService, forwarded } from './aws-service.ts';

/**
 * DynamoDB by dynalite, in memory. It knows no transactions, streams or TTL: the product needs none of them. Its server never
 * listens: a socket takes longer than most of its answers.
 */
export function startDynamoDb(): AwsService {
  const server = dynalite({ createTableMs: 0 });
  const listener: RequestListener = (request, response) => void server.emit('request', request, response);
  return closeWhenIdle({
    handle: async ({ headers, body }) => {
      const call = { method: 'POST', url: '/', headers: forwarded(headers), payload: body };
      const answer = await inject(listener, call);
      return {
        status: answer.statusCode,
        headers: forwarded(singleHeaders(answer.headers)),
        body: answer.rawPayload,
      };
    },
    close: () => closeImmediately(server),
  });
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
