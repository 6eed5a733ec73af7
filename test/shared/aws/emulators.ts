import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { otherEmulators } from './other-emulators.ts';

/** DynamoDB, SQS, Secrets Manager and EventBridge with what the stacks declare, and no functions. */
export type Emulators = {
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly secretsManager: SecretsManagerClient;
  readonly eventBridge: EventBridgeClient;
  readonly tableName: string;
  readonly queueUrl: string;
  readonly secretId: string;
  readonly busName: string;
  /** Of any table, any queue, and any secret, by its name in kebab-case. */
  readonly tableNameOf: (name: string) => string;
  readonly queueUrlOf: (name: string) => string;
  readonly secretIdOf: (name: string) => string;
  /** Creates one more table, with the keys and indexes of a table of the stacks. Returns its name. */
  readonly createTable: (like: 'events' | 'entities' | 'onboardings', name: string) => Promise<string>;
  /** Puts the webhook secret, unless another is named. */
  readonly putSecret: (text: string, secretId?: string) => Promise<void>;
  /** Takes all messages off the queue of webhooks, unless another is given. */
  readonly receiveAll: (queueUrl?: string) => Promise<readonly string[]>;
  /** Gets each AWS call from now on; a throw breaks the connection at that moment. */
  readonly watch: (onCall: (moment: AwsCallMoment) => Promise<void> | void) => void;
  readonly unwatch: () => void;
  readonly close: () => Promise<void>;
};

export type EmulatorsOptions = {
  /** How often the SDK tries a call. */
  readonly maxAttempts?: number;
  /** What Secrets Manager takes for the time. */
  readonly now?: () => Date;
  /** Whether the emulators of the sandbox are started, dynalite and fauxqs, which the SDK calls over HTTP. */
  readonly isOverHttp?: boolean;
};

/**
 * Starts the services of the simulation, in memory, unless the options name others. The tests of `shared/` hold each store, queue and
 * secret against both in `npm run verify`: a test of a function need not prove it again.
 */
export async function startEmulators(options: EmulatorsOptions = {}): Promise<Emulators> {
  if (options.isOverHttp === true || otherEmulators.dynamodb !== undefined)
    return (await import('./http-emulators.ts')).startHttpEmulators(options);
  return (await import('./memory-emulators.ts')).startMemoryEmulators(options);
}
