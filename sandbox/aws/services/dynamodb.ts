import { rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { CreateTableCommand, type DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { AbstractValueIterator } from 'abstract-level';
import dynalite from 'dynalite';
import inject from 'light-my-request';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { singleHeaders } from '#sandbox/net/server.ts';
import { type AwsService, forwarded } from './aws-service.ts';

// dynalite 4.0.0 closes an iterator by `return`, which abstract-level does not have. Each query and scan then kept all rows of its time.
Object.assign(AbstractValueIterator.prototype, { return: AbstractValueIterator.prototype.close });

// Its database keeps keys and values as small Buffers. Each would keep the 64 KiB from which Node cuts many of them.
Buffer.poolSize = 0;

/**
 * DynamoDB by dynalite, in memory, or in files of a directory. It knows no transactions, streams or TTL: the product needs none of them. Its server never
 * listens: a socket takes longer than most of its answers.
 */
export function startDynamoDb(directory?: string): AwsService {
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  const server = dynalite({ createTableMs: 0, ...(directory !== undefined && { path: directory }) });
  const listener: RequestListener = (request, response) => void server.emit('request', request, response);
  return {
    handle: async ({ headers, body }) => {
      const call = { method: 'POST', url: '/', headers: forwarded(headers), payload: body };
      const answer = await inject(listener, call);
      return {
        status: answer.statusCode,
        headers: forwarded(singleHeaders(answer.headers)),
        body: answer.rawPayload,
      };
    },
    // Nothing is open. Closed during a call, such as the last one of a function that was killed, dynalite ends the process.
    close: () => Promise.resolve(),
  };
}

/** In seconds. dynalite makes a table usable a moment after it has answered. */
const untilUsable = { minDelay: 0.01, maxDelay: 0.1, maxWaitTime: 60 };

/** Creates the tables that the stacks declare, and waits until they are usable. */
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
    await waitUntilTableExists({ client: dynamodb, ...untilUsable }, { TableName: physicalName });
  }
}
