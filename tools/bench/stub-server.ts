import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BatchGetItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Command } from '#test/simulation/aws/commands.ts';
import { createDynamoDb } from '#test/simulation/aws/dynamodb.ts';
import { simulatedTables } from '#test/simulation/declared.ts';
import { stubSecret } from './webhooks.ts';

type Input = Readonly<Record<string, unknown>>;

const commands: Readonly<Record<string, new (input: never) => Command>> = {
  BatchGetItem: BatchGetItemCommand,
  GetItem: GetItemCommand,
  PutItem: PutItemCommand,
  Query: QueryCommand,
  UpdateItem: UpdateItemCommand,
};

/** Where the idempotency utility of Powertools keeps its records. */
const idempotency = { partition: 'id' };

/**
 * SQS, DynamoDB, EventBridge and Secrets Manager over HTTP: the same server for each peer. It keeps everything in memory. `GET /`
 * answers with the number of requests until now.
 */
export async function startStubServer() {
  const dynamodb = createDynamoDb({ ...simulatedTables, idempotency });
  let requests = 0;

  function answerTo(operation: string, { ReturnValuesOnConditionCheckFailure: _, ...input }: Input): object {
    if (operation === 'SendMessage') {
      const md5 = createHash('md5').update(String(input.MessageBody)).digest('hex');
      return { MessageId: randomUUID(), MD5OfMessageBody: md5 };
    }
    if (operation === 'GetSecretValue')
      return { SecretString: JSON.stringify({ current: stubSecret }), VersionId: 'v1', Name: 'webhook-secret' };
    if (operation === 'PutEvents')
      return { FailedEntryCount: 0, Entries: [input.Entries].flat().map(() => ({ EventId: randomUUID() })) };
    const DynamoDbCommand = commands[operation];
    if (DynamoDbCommand === undefined) throw new Error(`The stub does not know ${operation}.`);
    return dynamodb.perform(new DynamoDbCommand(input as never));
  }

  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.end(String(requests));
      return;
    }
    requests += 1;
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    try {
      const answer = answerTo(operation, JSON.parse(await textOf(request)));
      response.writeHead(200, headers).end(JSON.stringify(answer));
    } catch (error) {
      const { name, message } = error instanceof Error ? error : { name: 'InternalFailure', message: '' };
      response.writeHead(name === 'ConditionalCheckFailedException' ? 400 : 500, headers);
      response.end(JSON.stringify({ __type: name, message }));
    }
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
