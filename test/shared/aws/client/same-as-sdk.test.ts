import { createHash } from 'node:crypto';
import * as sdkDynamoDb from '@aws-sdk/client-dynamodb';
import * as sdkEventBridge from '@aws-sdk/client-eventbridge';
import * as sdkSecretsManager from '@aws-sdk/client-secrets-manager';
import * as sdkSqs from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as dynamodb from '#shared/aws/client/dynamodb.ts';
import { hostOf } from '#shared/aws/client/endpoint.ts';
import * as eventbridge from '#shared/aws/client/eventbridge.ts';
import * as secretsManager from '#shared/aws/client/secrets-manager.ts';
import * as sqs from '#shared/aws/client/sqs.ts';
import { type AwsReply, startAwsServer } from './aws-server.ts';

type Send = (input: object) => Promise<unknown>;
type Case = { readonly operation: string; readonly sdk: Send; readonly ours: Send };

const requestHandler = { connectionTimeout: 1_000, requestTimeout: 1_000, throwOnRequestTimeout: true };

/** A client and a command, of the SDK or of ours. */
type ClientClass = new (options: { requestHandler: typeof requestHandler }) => unknown;
type CommandClass = new (input: never) => unknown;
type Sender = { send: (command: unknown) => Promise<unknown> };

const sender =
  (Client: ClientClass, Command: CommandClass): Send =>
  async (input) => {
    const answer = await (new Client({ requestHandler }) as Sender).send(new Command(input as never));
    const { $metadata: _, ...output } = answer as { $metadata?: unknown };
    return output;
  };

/** The commands of a module: those of ours, and the same of the SDK. */
function casesOf(client: string, sdk: object, ours: object): readonly Case[] {
  const [sdkModule, ourModule] = [sdk, ours] as [Record<string, CommandClass>, Record<string, CommandClass>];
  const commands = Object.keys(ourModule).filter((name) => name.endsWith('Command'));
  return commands.map((name) => ({
    operation: name.replace('Command', ''),
    sdk: sender(sdkModule[client] as unknown as ClientClass, sdkModule[name] as CommandClass),
    ours: sender(ourModule[client] as unknown as ClientClass, ourModule[name] as CommandClass),
  }));
}

const cases = [
  ...casesOf('DynamoDBClient', sdkDynamoDb, dynamodb),
  ...casesOf('EventBridgeClient', sdkEventBridge, eventbridge),
  ...casesOf('SecretsManagerClient', sdkSecretsManager, secretsManager),
  ...casesOf('SQSClient', sdkSqs, sqs),
];

const text = '{"a":"\\u00fc"}';
const MD5OfMessageBody = createHash('md5').update(text).digest('hex');
const bytes = new Uint8Array([0, 255, 1, 254]);
const item = {
  id: { S: 'ü\u{1f600}\u0001' },
  version: { N: '9007199254740993' },
  B: { B: bytes },
  body: { B: Buffer.from(bytes) },
  ids: { SS: ['a', 'b'] },
  map: { M: { B: { B: bytes }, list: { L: [{ BOOL: false }, { NULL: true }, { B: bytes }] } } },
};
const wireItem = JSON.parse(
  JSON.stringify(item, (_, value) => (value?.type === 'Buffer' || value?.[0] === 0 ? 'AP8B/g==' : value)),
);

/** The SDK sends to the host of the queue. */
const inputsAt = (origin: string): Readonly<Record<string, object>> => ({
  BatchGetItem: {
    RequestItems: { B: { Keys: [{ id: item.id }, { id: item.B }], ConsistentRead: true, ProjectionExpression: 'id' } },
  },
  DeleteItem: {
    TableName: 't',
    Key: { id: item.id },
    ConditionExpression: 'a',
    ExpressionAttributeNames: { '#a': 'a' },
  },
  GetItem: { TableName: 't', Key: { id: item.id }, ConsistentRead: true },
  PutItem: { TableName: 't', Item: item, ReturnValues: undefined },
  Query: { TableName: 't', Limit: 5, ExclusiveStartKey: { id: item.body }, ScanIndexForward: false },
  Scan: { TableName: 't', Segment: 0, TotalSegments: 4 },
  UpdateItem: { TableName: 't', Key: { id: item.id }, ExpressionAttributeValues: item, ReturnValues: 'ALL_OLD' },
  PutEvents: { Entries: [{ EventBusName: 'bus', Source: 's', DetailType: 'd', Detail: '{"a":"ü"}' }] },
  GetSecretValue: { SecretId: 's' },
  PutSecretValue: { SecretId: 's', SecretString: '{}', ClientRequestToken: 'c'.repeat(64) },
  SendMessage: { QueueUrl: `${origin}/0/q`, MessageBody: text, MessageGroupId: undefined, DelaySeconds: 3 },
  SendMessageBatch: { QueueUrl: `${origin}/0/q`, Entries: [{ Id: '0', MessageBody: text }] },
});

const answers: Readonly<Record<string, object>> = {
  BatchGetItem: { Responses: { B: [wireItem] }, UnprocessedKeys: { B: { Keys: [{ id: { S: '1' } }] } } },
  GetItem: { Item: wireItem },
  Query: { Items: [wireItem, wireItem], Count: 2, LastEvaluatedKey: { id: wireItem.B } },
  Scan: { Items: [], Count: 0 },
  UpdateItem: { Attributes: wireItem },
  PutEvents: { FailedEntryCount: 1, Entries: [{ EventId: 'e' }, { ErrorCode: 'InternalFailure' }] },
  GetSecretValue: { SecretString: '{}', VersionId: 'v', CreatedDate: 1_767_323_045.678 },
  SendMessage: { MessageId: 'm', MD5OfMessageBody },
  SendMessageBatch: { Successful: [{ Id: '0', MessageId: 'm', MD5OfMessageBody }], Failed: [] },
};

let server: Awaited<ReturnType<typeof startAwsServer>>;
beforeAll(async () => {
  server = await startAwsServer();
});
afterAll(() => server.close());
beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIA');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'function');
  vi.stubEnv('_X_AMZN_TRACE_ID', 'Root=1-2-3;Parent=4;Sampled=0');
  vi.stubEnv('AWS_ENDPOINT_URL', server.origin);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Sends an input by both clients, and returns what each sent, and got or threw. */
async function both({ operation, sdk, ours }: Case, reply: (attempt: number) => AwsReply) {
  const outcomes: { readonly outcome: object; readonly sent: readonly object[] }[] = [];
  const input = inputsAt(server.origin)[operation];
  if (input === undefined) throw new Error(`Give the test an input of ${operation}.`);
  for (const send of [sdk, ours]) {
    server.replyWith(reply);
    const outcome = await send(input).then(
      (output) => ({ output }),
      (error: Error & { $metadata?: { httpStatusCode?: number } }) => ({
        error: error.name,
        status: error.$metadata?.httpStatusCode,
      }),
    );
    const sent = server.requests.map(({ headers, input: received }) => ({
      received,
      sent: ['content-type', 'x-amz-target', 'x-amz-security-token', 'x-amzn-trace-id', 'host'].map(
        (name) => headers[name],
      ),
    }));
    outcomes.push({ outcome, sent });
  }
  return outcomes;
}

describe('the clients that stand in for the SDK', () => {
  it.each(cases)('send the request of $operation and read its answer as the SDK does', async (one) => {
    const [sdk, ours] = await both(one, () => ({ body: JSON.stringify(answers[one.operation] ?? {}) }));
    expect(ours).toEqual(sdk);
    expect(ours?.sent).toHaveLength(1);
  });

  it.each([
    [400, 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException'],
    [400, 'ResourceExistsException'],
    [400, 'AccessDeniedException:http://internal.amazon.com/coral/'],
    [400, 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException'],
    [429, 'Anything'],
    [500, 'InternalFailure'],
    [503, 'ServiceUnavailable'],
  ])(
    'name the error and repeat the request as the SDK does at %s %s',
    async (status, type) => {
      const [update, secret] = ['UpdateItem', 'PutSecretValue'].map((operation) =>
        cases.find((one) => one.operation === operation),
      );
      const reply = () => ({ status, body: JSON.stringify({ __type: type, message: 'refused' }) });
      // Short pauses between the attempts.
      vi.spyOn(Math, 'random').mockReturnValue(0.01);
      for (const one of [update, secret]) {
        if (one === undefined) throw new Error('The command is missing.');
        const [sdk, ours] = await both(one, reply);
        expect(ours).toEqual(sdk);
      }
    },
    60_000,
  );
});

describe('the errors that callers tell from others', () => {
  it.each([
    ['ConditionalCheckFailedException', 'PutItem', dynamodb.ConditionalCheckFailedException],
    ['ResourceExistsException', 'PutSecretValue', secretsManager.ResourceExistsException],
  ])('are instances of %s', async (type, operation, ErrorClass) => {
    server.replyWith(() => ({ status: 400, body: JSON.stringify({ __type: type }) }));
    const send = cases.find((one) => one.operation === operation)?.ours;
    await expect(send?.(inputsAt(server.origin)[operation] ?? {})).rejects.toBeInstanceOf(ErrorClass);
  });
});

describe('the host name of a service', () => {
  const regions = [
    'eu-central-1',
    'us-east-1',
    'us-gov-west-1',
    'cn-north-1',
    'eusc-de-east-1',
    'us-iso-east-1',
    'us-isob-east-1',
    'us-isof-south-1',
    'eu-isoe-west-1',
  ];
  const clients = {
    dynamodb: sdkDynamoDb.DynamoDBClient,
    events: sdkEventBridge.EventBridgeClient,
    secretsmanager: sdkSecretsManager.SecretsManagerClient,
    sqs: sdkSqs.SQSClient,
  };

  it.each(regions)('is that of the SDK in %s', (region) => {
    for (const [service, Client] of Object.entries(clients)) {
      const { endpointProvider } = new Client({ region }).config;
      expect(hostOf(service, region)).toBe(endpointProvider({ Region: region }).url.hostname);
    }
  });
});
