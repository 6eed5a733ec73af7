import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { PurgeQueueCommand } from '@aws-sdk/client-sqs';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import type { AwsServices } from '#sandbox/aws/services/aws-service.ts';
import type { Command, Service } from '#test/simulation/aws/commands.ts';
import { createDynamoDb } from '#test/simulation/aws/dynamodb.ts';
import { createEventBridge } from '#test/simulation/aws/event-bridge.ts';
import { createSecretsManager } from '#test/simulation/aws/secrets-manager.ts';
import { createSqs, type Sqs } from '#test/simulation/aws/sqs.ts';
import { simulatedQueues, simulatedTables } from '#test/simulation/declared.ts';
import type { Emulators, EmulatorsOptions } from './emulators.ts';

/** As the stacks generate them, with the letter r for what is random. */
const secrets = {
  'webhook-secret': JSON.stringify({ current: 'r'.repeat(64) }),
  'platform-credentials': JSON.stringify({ clientId: '', clientSecret: 'r'.repeat(32) }),
  'platform-token': JSON.stringify({
    issuedAt: '1970-01-01T00:00:00.000Z',
    expiresAt: '1970-01-01T00:00:00.000Z',
    pacedUntil: '1970-01-01T00:00:00.000Z',
    accessToken: 'r'.repeat(32),
  }),
};
const busName = 'drawbridge';

/** The connection broke before the service had the call, or before its answer was there. */
class ConnectionBrokenError extends Error {
  override readonly name = 'ConnectionBrokenError';
}

/** Starts the services of the simulation in memory, each call answered after a turn of the event loop. */
export async function startMemoryEmulators({
  maxAttempts = 1,
  now = () => new Date(),
}: EmulatorsOptions): Promise<Emulators> {
  const unwatched = () => undefined;
  let watcher: (moment: AwsCallMoment) => Promise<void> | void = unwatched;
  const newId = () => randomUUID();
  const dynamodb = createDynamoDb(simulatedTables);
  const sqs = createSqs(simulatedQueues, { now: Date.now, newId, choose: () => 0 });
  const secretsManager = createSecretsManager(secrets, { now: () => now().getTime(), newId });
  const eventBridge = createEventBridge({ newId, buses: [busName] });

  async function attempt(service: keyof AwsServices, command: Command, perform: Service): Promise<object> {
    const operation = command.constructor.name.replace(/Command$/, '');
    const moment = { service, operation, caller: undefined, input: () => command.input };
    await watched({ when: 'before', ...moment });
    await setImmediate();
    try {
      return perform(command);
    } finally {
      await watched({ when: 'after', ...moment });
    }
  }

  async function watched(moment: AwsCallMoment): Promise<void> {
    try {
      await watcher(moment);
    } catch (cause) {
      throw new ConnectionBrokenError(`The connection broke ${moment.when} ${moment.operation}.`, { cause });
    }
  }

  /** What the product takes for a client of the SDK. */
  function clientOf<Client>(service: keyof AwsServices, perform: Service): Client {
    const send = async (command: Command): Promise<object> => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await attempt(service, command, perform);
        } catch (error) {
          if (tries === maxAttempts || !(error instanceof ConnectionBrokenError)) throw error;
        }
      }
    };
    return { send, destroy: () => undefined } as Client;
  }

  const client = {
    dynamodb: clientOf<Emulators['dynamodb']>('dynamodb', dynamodb.perform),
    sqs: clientOf<Emulators['sqs']>('sqs', (command) =>
      command instanceof PurgeQueueCommand ? purge(sqs, command.input.QueueUrl) : sqs.perform(command),
    ),
    secretsManager: clientOf<Emulators['secretsManager']>('secretsManager', secretsManager.perform),
    eventBridge: clientOf<Emulators['eventBridge']>('eventBridge', eventBridge.perform),
  };

  return {
    ...client,
    tableName: 'events',
    queueUrl: 'webhooks',
    secretId: 'webhook-secret',
    busName,
    tableNameOf: (name) => name,
    queueUrlOf: (name) => name,
    secretIdOf: (name) => name,
    createTable: async (like, name) => {
      dynamodb.add(name, simulatedTables[like]);
      return name;
    },
    putSecret: async (SecretString, SecretId = 'webhook-secret') => {
      await client.secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString }));
    },
    receiveAll: async (queueUrl = 'webhooks') => {
      const queue = sqs.queue(queueUrl);
      const received = queue.receive(Number.POSITIVE_INFINITY);
      for (const { receipt } of received) {
        const message = queue.find(receipt);
        if (message !== undefined) queue.remove(message);
      }
      return received.map(({ body }) => body);
    },
    watch: (onCall) => {
      watcher = onCall;
    },
    unwatch: () => {
      watcher = unwatched;
    },
    close: async () => undefined,
  };
}

function purge(sqs: Sqs, queueUrl: string | undefined): object {
  const queue = sqs.queue(queueUrl);
  for (const message of queue.all()) queue.remove(message);
  return {};
}
