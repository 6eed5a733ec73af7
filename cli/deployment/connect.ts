import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { once } from '#cli/command/once.ts';
import { createApiClient } from './api-client.ts';
import { type Deployment, isLaptop, stackNamesOf } from './deployment.ts';
import { createInvoke } from './invoke.ts';
import { readEndpoints } from './read-endpoints.ts';
import { readOutputs } from './read-outputs.ts';
import { readResources } from './resources.ts';

export type ConnectOptions = {
  readonly env: string;
  /** Where `npm start` wrote `endpoints.json`. */
  readonly directory: string;
  readonly region?: string | undefined;
};

/** In milliseconds. A connection that goes silent must not leave a command, or the overview of the console, without an end. */
const limits = { connectionTimeout: 5_000, requestTimeout: 60_000, socketTimeout: 60_000, throwOnRequestTimeout: true };

/** A function that is invoked answers when it has ended, after up to 15 minutes. In milliseconds. */
const invokeLimits = { ...limits, requestTimeout: 16 * 60_000, socketTimeout: 16 * 60_000 };

/** The laptop is one region, and checks no signature. */
const laptopRegion = 'eu-central-1';
const laptopCredentials = { accessKeyId: 'laptop', secretAccessKey: 'laptop' };

/**
 * Finds a deployment by its stacks: those that `npm start` hosts, or those of the account and region of the AWS
 * configuration.
 *
 * @throws {CommandError} if there is none
 */
export async function connect(
  { env, directory, region }: ConnectOptions,
  { fetch, wait }: Pick<CommandDeps, 'fetch' | 'wait'>,
): Promise<Deployment> {
  const endpoints = isLaptop(env) ? readEndpoints(directory) : undefined;
  const place =
    endpoints === undefined
      ? { ...(region !== undefined && { region }) }
      : { region: laptopRegion, endpoint: endpoints.aws, credentials: laptopCredentials };
  const configuration = { ...place, requestHandler: limits };
  const cloudFormation = new CloudFormationClient(configuration);
  const lambda = new LambdaClient(configuration);
  const readRegion: () => Promise<string> = lambda.config.region;
  const stacks = stackNamesOf(env);
  const outputs = await readOutputs({ cloudFormation, environment: env, stacks });
  const resources = once(() => readResources({ cloudFormation, stacks }));
  const apiUrl = outputs.get('ApiUrl');
  if (apiUrl === undefined)
    throw new CommandError(`The stack ${stacks.service} has no output ApiUrl.`, 'npx cdk deploy --all');
  const invoker = new LambdaClient({ ...place, requestHandler: invokeLimits });
  const invokeWithLog = createInvoke({ lambda: invoker, resources });
  return {
    environment: env,
    region: await readRegion(),
    isLaptop: isLaptop(env),
    control: endpoints?.control,
    outputs,
    resources,
    api: createApiClient({
      origin: apiUrl,
      fetch,
      wait,
      region: readRegion,
      credentials: lambda.config.credentials,
    }),
    invoke: async (name, event) => (await invokeWithLog(name, event)).answer,
    invokeWithLog,
    clients: {
      cloudFormation,
      cloudWatch: new CloudWatchClient(configuration),
      logs: new CloudWatchLogsClient(configuration),
      dynamodb: new DynamoDBClient(configuration),
      eventBridge: new EventBridgeClient(configuration),
      lambda,
      scheduler: new SchedulerClient(configuration),
      secretsManager: new SecretsManagerClient(configuration),
      sqs: new SQSClient(configuration),
    },
  };
}
