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
import * as z from 'zod';
import { type Row, sizeOf, writeUnitsOf } from '#test/cost/capacity-units.ts';
import type { Command } from '#test/simulation/aws/commands.ts';
import { createDynamoDb } from '#test/simulation/aws/dynamodb.ts';
import { simulatedTables } from '#test/simulation/declared.ts';

/** What a function has asked of AWS: requests by operation, and units of DynamoDB. */
export type CountedCalls = {
  readonly requests: Readonly<Record<string, number>>;
  readonly writeUnits: number;
  readonly readUnits: number;
};

export type StubServer = {
  readonly origin: string;
  /** Counts from 0 again. */
  readonly reset: () => void;
  readonly counted: () => CountedCalls;
  /** The bodies of the messages that were sent. */
  readonly sent: () => readonly string[];
  /** The events that were put on the bus, as JSON. */
  readonly published: () => readonly string[];
  readonly close: () => Promise<void>;
};

/** The webhook secret that the stub knows. */
export const stubSecret = 'b'.repeat(64);

const target = z.object({ 'x-amz-target': z.string() });
const putEvents = z.object({ Entries: z.array(z.object({ DetailType: z.string(), Detail: z.string() })) });
const sendMessage = z.object({ MessageBody: z.string() });
const written = z.looseObject({
  TableName: z.string(),
  Key: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  Item: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

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

/** SQS, DynamoDB, EventBridge and Secrets Manager over HTTP: the same servers for each peer. They keep everything in memory. */
export async function startStubServer(): Promise<StubServer> {
  const dynamodb = createDynamoDb({ ...simulatedTables, idempotency });
  let requests: Record<string, number> = {};
  let [writeUnits, readUnits] = [0, 0];
  const [sent, published]: [string[], string[]] = [[], []];

  /** The row before and after a write. */
  function rowOf(input: Input): Row | undefined {
    const { TableName, Key, Item } = written.parse(input);
    const table = dynamodb.table(TableName);
    const source = { ...Item, ...Key };
    return table.get(Object.fromEntries(table.keyNames.map((name) => [name, source[name]])) as never) as
      | Row
      | undefined;
  }

  function perform(operation: string, { ReturnValuesOnConditionCheckFailure: _, ...input }: Input): object {
    const DynamoDbCommand = commands[operation];
    if (DynamoDbCommand === undefined) throw new Error(`The stub does not know ${operation}.`);
    const isWrite = operation === 'PutItem' || operation === 'UpdateItem';
    const before = isWrite ? rowOf(input) : undefined;
    try {
      const answer = dynamodb.perform(new DynamoDbCommand(input as never));
      if (isWrite) writeUnits += writeUnitsOf(before, rowOf(input), [], []);
      else readUnits += readUnitsOf(operation, input, answer);
      return answer;
    } catch (error) {
      // A refused write takes its units all the same.
      if (isWrite) writeUnits += writeUnitsOf(before, before, [], []);
      throw error;
    }
  }

  function answerTo(operation: string, input: Input): object {
    switch (operation) {
      case 'SendMessage': {
        const { MessageBody } = sendMessage.parse(input);
        sent.push(MessageBody);
        return { MessageId: randomUUID(), MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') };
      }
      case 'GetSecretValue':
        return { SecretString: JSON.stringify({ current: stubSecret }), VersionId: 'v1', Name: 'webhook-secret' };
      case 'PutEvents': {
        const { Entries } = putEvents.parse(input);
        published.push(...Entries.map(({ Detail }) => Detail));
        return { FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: randomUUID() })) };
      }
      default:
        return perform(operation, input);
    }
  }

  const server = createServer(async (request, response) => {
    const operation = target.parse(request.headers)['x-amz-target'].split('.').at(-1) ?? '';
    requests[operation] = (requests[operation] ?? 0) + 1;
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    try {
      const answer = answerTo(operation, JSON.parse(await textOf(request)));
      response.writeHead(200, headers).end(JSON.stringify(answer));
    } catch (error) {
      const name = error instanceof Error ? error.name : 'InternalFailure';
      response.writeHead(name === 'ConditionalCheckFailedException' ? 400 : 500, headers);
      response.end(JSON.stringify({ __type: name, message: error instanceof Error ? error.message : '' }));
    }
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    reset: () => {
      requests = {};
      [writeUnits, readUnits] = [0, 0];
      sent.length = 0;
      published.length = 0;
    },
    counted: () => ({ requests, writeUnits, readUnits }),
    sent: () => sent,
    published: () => published,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const readAnswer = z.looseObject({
  Item: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  Responses: z.record(z.string(), z.array(z.record(z.string(), z.record(z.string(), z.unknown())))).optional(),
});
const batchRequest = z.looseObject({
  RequestItems: z.record(z.string(), z.looseObject({ Keys: z.array(z.unknown()) })).optional(),
});

/** The read request units of consistent reads: one for each started 4 KB of an item, and one for an absent item. */
function readUnitsOf(operation: string, input: Input, answer: object): number {
  const { Item, Responses = {} } = readAnswer.parse(answer);
  const unitsOfItem = (item: Row) => Math.max(1, Math.ceil(sizeOf(item) / 4_096));
  if (operation !== 'BatchGetItem') return unitsOfItem(Item ?? {});
  const asked = Object.values(batchRequest.parse(input).RequestItems ?? {}).flatMap(({ Keys }) => Keys).length;
  const found = Object.values(Responses).flat();
  return asked - found.length + found.reduce((sum, item) => sum + unitsOfItem(item), 0);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
