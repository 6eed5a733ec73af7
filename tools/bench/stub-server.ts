import { createHash, randomUUID } from 'node:crypto';
import {
  BatchGetItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { listen, readBody } from '#sandbox/net/server.ts';
import type { Command } from '#test/simulation/aws/commands.ts';
import { createDynamoDb } from '#test/simulation/aws/dynamodb.ts';
import { simulatedTables } from '#test/simulation/declared.ts';
import { stubSecret } from './webhooks.ts';

type Input = Readonly<Record<string, unknown>>;

/** The stub does not simulate this field, and answers as without it. */
const withoutOldValues = (key: string, value: unknown) =>
  key === 'ReturnValuesOnConditionCheckFailure' ? undefined : value;

const commands: Readonly<Record<string, (text: string) => Command>> = {
  BatchGetItem: (text) => new BatchGetItemCommand(JSON.parse(text)),
  GetItem: (text) => new GetItemCommand(JSON.parse(text)),
  PutItem: (text) => new PutItemCommand(JSON.parse(text, withoutOldValues)),
  Query: (text) => new QueryCommand(JSON.parse(text)),
  UpdateItem: (text) => new UpdateItemCommand(JSON.parse(text, withoutOldValues)),
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
  const byOperation: Record<string, number> = {};

  function answerTo(operation: string, text: string): object {
    const toCommand = commands[operation];
    if (toCommand !== undefined) return dynamodb.perform(toCommand(text));
    const input: Input = JSON.parse(text);
    if (operation === 'SendMessage') {
      const md5 = createHash('md5').update(String(input.MessageBody)).digest('hex');
      return { MessageId: randomUUID(), MD5OfMessageBody: md5 };
    }
    if (operation === 'GetSecretValue')
      return { SecretString: JSON.stringify({ current: stubSecret }), VersionId: 'v1', Name: 'webhook-secret' };
    if (operation === 'PutEvents')
      return { FailedEntryCount: 0, Entries: [input.Entries].flat().map(() => ({ EventId: randomUUID() })) };
    throw new Error(`The stub does not know ${operation}.`);
  }

  const { origin, close } = await listen(async (request, response) => {
    if (request.method === 'GET') {
      response.end(String(requests));
      return;
    }
    requests += 1;
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    byOperation[operation] = (byOperation[operation] ?? 0) + 1;
    try {
      const answer = answerTo(operation, String(await readBody(request)));
      response.writeHead(200, headers).end(JSON.stringify(answer));
    } catch (error) {
      const { name, message } = error instanceof Error ? error : { name: 'InternalFailure', message: '' };
      response.writeHead(name === 'ConditionalCheckFailedException' ? 400 : 500, headers);
      response.end(JSON.stringify({ __type: name, message }));
    }
  });
  return {
    origin,
    close,
    /** The requests until now, by operation. */
    counted: (): Readonly<Record<string, number>> => ({ ...byOperation }),
  };
}
