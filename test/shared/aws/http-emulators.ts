import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  DeleteMessageCommand,
  DeleteQueueCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { inject } from 'vitest';
import { type AwsCallMoment, startAwsEndpoint } from '#sandbox/aws/aws-endpoint.ts';
import { forwardTo } from '#sandbox/aws/services/aws-service.ts';
import { createTables, startDynamoDb } from '#sandbox/aws/services/dynamodb.ts';
import { startEventBridge } from '#sandbox/aws/services/event-bridge.ts';
import { startSecretsManager } from '#sandbox/aws/services/secrets-manager.ts';
import { createQueues, startSqs } from '#sandbox/aws/services/sqs.ts';
import { readBlueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { readCloudAssembly } from '#sandbox/aws/stacks/cloud-assembly.ts';
import type { Emulators, EmulatorsOptions } from './emulators.ts';
import { otherEmulators } from './other-emulators.ts';

const region = 'eu-central-1';

/** Starts the emulators of the sandbox. The SDK calls them over HTTP. */
export async function startHttpEmulators({
  maxAttempts = 1,
  now = () => new Date(),
}: EmulatorsOptions = {}): Promise<Emulators> {
  const unwatched = () => undefined;
  let watcher: (moment: AwsCallMoment) => Promise<void> | void = unwatched;
  const endpoint = await startAwsEndpoint({ onCall: (moment) => watcher(moment) });
  const { origin } = endpoint;
  const place = { account: '000000000000', region, awsOrigin: origin, apiOrigin: origin };
  const blueprint = readBlueprint(readCloudAssembly(inject('assembly')), place);
  const services = {
    dynamodb: await (otherEmulators.dynamodb === undefined ? startDynamoDb() : forwarded(otherEmulators.dynamodb)),
    sqs: await (otherEmulators.sqs === undefined
      ? startSqs({ region, polled: new Set(), now: () => new Date() })
      : forwarded(otherEmulators.sqs)),
    secretsManager: startSecretsManager(blueprint.secrets, {
      newId: randomUUID,
      randomText: (length) => 'r'.repeat(length),
      now,
      // The clock of the emulators can stand still.
      maxVersions: Number.POSITIVE_INFINITY,
    }),
    // Who listens are functions, and there are none.
    eventBridge: startEventBridge(blueprint, {
      place,
      targets: { open: () => () => Promise.resolve(), openAny: () => () => Promise.resolve(), isIdle: () => true },
      newId: randomUUID,
      now,
    }),
  };
  endpoint.serve(services, () => undefined);
  const configuration = {
    region,
    endpoint: origin,
    maxAttempts,
    // DynamoDB Local has tables of its own for each key, so that no test file sees those of another.
    credentials: { accessKeyId: randomUUID().replaceAll('-', ''), secretAccessKey: 'test' },
  };
  const dynamodb = new DynamoDBClient(configuration);
  const sqs = new SQSClient(configuration);
  const secretsManager = new SecretsManagerClient(configuration);
  const eventBridge = new EventBridgeClient(configuration);
  await createTables(blueprint.tables, dynamodb);
  if (otherEmulators.sqs !== undefined) await deleteQueues(sqs);
  await createQueues(blueprint.queues, sqs);
  const queueUrl = named(blueprint.queues, 'webhooks').ref;
  const secretId = named(blueprint.secrets, 'webhook-secret').arn;

  async function receiveAll(url = queueUrl): Promise<readonly string[]> {
    const received: string[] = [];
    for (;;) {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10 }));
      if (Messages.length === 0) return received;
      for (const { Body = '', ReceiptHandle } of Messages) {
        received.push(Body);
        await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
      }
    }
  }

  return {
    dynamodb,
    sqs,
    secretsManager,
    eventBridge,
    tableName: named(blueprint.tables, 'events').physicalName,
    queueUrl,
    secretId,
    busName: named(blueprint.eventBuses, 'bus').physicalName,
    receiveAll,
    tableNameOf: (name) => named(blueprint.tables, name).physicalName,
    queueUrlOf: (name) => named(blueprint.queues, name).ref,
    secretIdOf: (name) => named(blueprint.secrets, name).arn,
    createTable: async (like, name) => {
      await createTables([{ ...named(blueprint.tables, like), physicalName: name }], dynamodb);
      return name;
    },
    putSecret: async (text, id = secretId) => {
      await secretsManager.send(new PutSecretValueCommand({ SecretId: id, SecretString: text }));
    },
    watch: (onCall) => {
      watcher = onCall;
    },
    unwatch: () => {
      watcher = unwatched;
    },
    close: async () => {
      for (const client of [dynamodb, sqs, secretsManager, eventBridge]) client.destroy();
      await endpoint.close();
      for (const service of Object.values(services)) await service.close();
    },
  };
}

/** ElasticMQ still has the queues of the test file before. */
async function deleteQueues(sqs: SQSClient): Promise<void> {
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  for (const QueueUrl of QueueUrls) await sqs.send(new DeleteQueueCommand({ QueueUrl }));
}

const forwarded = async (origin: string) => forwardTo(origin, () => Promise.resolve());

function named<Resource extends { readonly name: string }>(resources: readonly Resource[], name: string): Resource {
  const resource = resources.find((candidate) => candidate.name === name);
  if (resource === undefined) throw new Error(`The stacks declare no ${name}.`);
  return resource;
}
