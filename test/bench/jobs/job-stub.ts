import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BatchGetItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { createEntityStore } from '#shared/entities/entity-store.ts';
import { rulesWith } from '#shared/entities/statuses/entity-rules.ts';
import type { Item } from '#test/simulation/aws/attribute-value.ts';
import type { Command } from '#test/simulation/aws/commands.ts';
import { createDynamoDb } from '#test/simulation/aws/dynamodb.ts';
import { simulatedTables } from '#test/simulation/declared.ts';
import { pageOf, person, personId, personModifiedOn, personStatus, undeliveredRecord } from './job-lists.ts';

/** The platform and AWS, for a function that walks a list of the platform. */
export type JobStub = {
  readonly origin: string;
  /** Requests since the start, by operation. */
  readonly requests: () => Readonly<Record<string, number>>;
  /** Messages that SQS has. */
  readonly sent: () => number;
  /** Whether the undelivered webhooks were marked as delivered. */
  readonly isMarked: () => boolean;
  readonly close: () => Promise<void>;
};

type Input = Readonly<Record<string, unknown>>;

const commands: Readonly<Record<string, new (input: never) => Command>> = {
  BatchGetItem: BatchGetItemCommand,
  GetItem: GetItemCommand,
  PutItem: PutItemCommand,
  Query: QueryCommand,
  Scan: ScanCommand,
  UpdateItem: UpdateItemCommand,
};

const target = z.object({ 'x-amz-target': z.string() });
const secretRequest = z.object({ SecretId: z.string() });
const sendBatch = z.object({ Entries: z.array(z.object({ Id: z.string(), MessageBody: z.string() })) });
const scanOfEntities = z.object({
  TableName: z.literal('entities'),
  Limit: z.number(),
  ExclusiveStartKey: z.object({ entity: z.object({ S: z.string() }) }).optional(),
});

const secrets: Readonly<Record<string, object>> = {
  token: {
    accessToken: 'token',
    issuedAt: '2026-01-02T00:00:00Z',
    expiresAt: '2100-01-02T00:00:00Z',
    pacedUntil: '2026-01-02T00:00:00Z',
  },
  webhook: { current: 'b'.repeat(64) },
};

/** @param size of the list: undelivered webhooks, or persons that are stored as the platform has them */
export async function startJobStub(size: number): Promise<JobStub> {
  const dynamodb = createDynamoDb(simulatedTables);
  const requests: Record<string, number> = {};
  let [sent, isMarked] = [0, false];
  const entities = await storedPersons(size);
  for (const item of entities) dynamodb.table('entities').put(item);
  const places = new Map(entities.map((item, index) => [item['entity']?.S, index]));

  /** A page of the entities. The simulated table would sort all of them for each page. */
  function scanEntities({ Limit, ExclusiveStartKey }: z.infer<typeof scanOfEntities>): object {
    const start = (places.get(ExclusiveStartKey?.entity.S) ?? -1) + 1;
    const Items = entities.slice(start, start + Limit);
    const { entity, item } = Items.at(-1) ?? {};
    return { Items, ...(Items.length === Limit && { LastEvaluatedKey: { entity, item } }) };
  }

  function answerTo(operation: string, input: Input): object {
    const scan = operation === 'Scan' ? scanOfEntities.safeParse(input).data : undefined;
    if (scan !== undefined) return scanEntities(scan);
    switch (operation) {
      case 'GetSecretValue':
        return {
          SecretString: JSON.stringify(secrets[secretRequest.parse(input).SecretId]),
          VersionId: 'v1',
          CreatedDate: 1_767_323_045,
        };
      case 'SendMessageBatch': {
        const { Entries } = sendBatch.parse(input);
        sent += Entries.length;
        return {
          Successful: Entries.map(({ Id, MessageBody }) => ({
            Id,
            MessageId: randomUUID(),
            MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
          })),
        };
      }
      default: {
        const DynamoDbCommand = commands[operation];
        if (DynamoDbCommand === undefined) throw new Error(`The stub does not know ${operation}.`);
        return dynamodb.perform(new DynamoDbCommand(input as never));
      }
    }
  }

  function answerAsPlatform({ method, url: path = '' }: IncomingMessage): object {
    const url = new URL(path, 'http://platform');
    if (method === 'POST') {
      isMarked = true;
      return {};
    }
    if (url.pathname === '/entities/natural-persons') return pageOf(person, size, url);
    return pageOf(undeliveredRecord, isMarked ? 0 : size, url);
  }

  const server = createServer(async (request, response) => {
    const name = target.safeParse(request.headers).data?.['x-amz-target'].split('.').at(-1);
    const operation = name ?? (request.method === 'POST' ? 'mark' : 'list');
    requests[operation] = (requests[operation] ?? 0) + 1;
    const type = name === undefined ? 'application/json' : 'application/x-amz-json-1.0';
    try {
      const text = await textOf(request);
      const answer = name === undefined ? answerAsPlatform(request) : answerTo(name, JSON.parse(text));
      response.writeHead(200, { 'content-type': type }).end(JSON.stringify(answer));
    } catch (error) {
      const __type = error instanceof Error ? error.name : 'InternalFailure';
      response.writeHead(__type === 'ConditionalCheckFailedException' ? 400 : 500, { 'content-type': type });
      response.end(JSON.stringify({ __type, message: error instanceof Error ? error.message : '' }));
    }
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests: () => requests,
    sent: () => sent,
    isMarked: () => isMarked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The state of each person, as `store` writes it: written once by the product's code, and copied with other ids. */
async function storedPersons(size: number): Promise<readonly Item[]> {
  const dynamodb = createDynamoDb(simulatedTables);
  const entityStore = createEntityStore({
    dynamodb: { send: async (command: Command) => dynamodb.perform(command) } as never,
    tableName: 'entities',
    rules: rulesWith({}),
    now: () => new Date(personModifiedOn),
    random: () => 0,
    wait: async () => undefined,
  });
  await entityStore.apply({
    eventId: 'e'.repeat(64),
    kind: 'natural-person',
    id: personId(0),
    receivedOn: personModifiedOn,
    report: { status: personStatus, modifiedOn: personModifiedOn },
  });
  const [row] = dynamodb.table('entities').all();
  // Over HTTP bytes are text.
  const latest = Buffer.from(row?.['latest']?.B ?? []).toString('base64');
  return Array.from({ length: size }, (_, index) => ({
    ...row,
    entity: { S: `natural-person#${personId(index)}` },
    latest: { B: latest as never },
  }));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
