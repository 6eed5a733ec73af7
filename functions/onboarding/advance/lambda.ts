import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import { clientOptions, lambdaProcess, readEnvironment, sampledTrace } from '#shared/lambda/lambda-process.ts';
import { createHandler, variables } from './handler.ts';

const options = clientOptions(3_000);

export const handler = createHandler({
  ...lambdaProcess,
  traceId: () => sampledTrace(process.env['_X_AMZN_TRACE_ID']),
  environment: readEnvironment(variables, process.env),
  dynamodb: new DynamoDBClient(options),
  eventBridge: new EventBridgeClient(options),
  secretsManager: new SecretsManagerClient(options),
  sqs: new SQSClient(options),
  fetch: createPlatformFetch(),
});
