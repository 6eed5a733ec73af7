import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { SchedulerClient } from '@aws-sdk/client-scheduler';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { ApiClient } from './api-client.ts';
import type { Invoke, InvokeWithLog } from './invoke.ts';
import type { StackNames } from './resource-names.ts';
import type { Resources } from './resources.ts';

/** Drawbridge as the commands see it: the same on this machine and on AWS. */
export type Deployment = {
  readonly environment: string;
  readonly region: string;
  readonly isLaptop: boolean;
  /** The address of the sandbox's control API; undefined on AWS. */
  readonly control: string | undefined;
  /** The outputs of both stacks, by their names. */
  readonly outputs: ReadonlyMap<string, string>;
  /** What the stacks consist of. Read once, when a command first needs it. */
  readonly resources: () => Promise<Resources>;
  /** The query and onboarding API, with signed requests. */
  readonly api: ApiClient;
  /** Invokes a function of the service stack by its name in the reference, such as `Register`. */
  readonly invoke: Invoke;
  /** The same, with what the function logged last. */
  readonly invokeWithLog: InvokeWithLog;
  readonly clients: {
    readonly cloudFormation: CloudFormationClient;
    readonly cloudWatch: CloudWatchClient;
    readonly logs: CloudWatchLogsClient;
    readonly dynamodb: DynamoDBClient;
    readonly eventBridge: EventBridgeClient;
    readonly lambda: LambdaClient;
    readonly scheduler: SchedulerClient;
    readonly secretsManager: SecretsManagerClient;
    readonly sqs: SQSClient;
  };
};

/** The environment that `npm start` runs. Its stacks are named after the settings file `laptop.json`. */
export const local = 'local';

export function isLaptop(environment: string): boolean {
  return environment === local;
}

/** What the settings file of an environment and its stacks are named after. */
export function settingsNameOf(environment: string): string {
  return isLaptop(environment) ? 'laptop' : environment;
}

/** The stacks of an environment: `drawbridge-production-data` and `drawbridge-production-service`. */
export function stackNamesOf(environment: string): StackNames {
  const name = settingsNameOf(environment);
  return { data: `drawbridge-${name}-data`, service: `drawbridge-${name}-service` };
}
