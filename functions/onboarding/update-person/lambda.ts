import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import { clientOptions, lambdaProcess, readEnvironment } from '#shared/lambda/lambda-process.ts';
import { createHandler, variables } from './handler.ts';

const options = clientOptions(3_000);

export const handler = createHandler({
  ...lambdaProcess,
  environment: readEnvironment(variables, process.env),
  dynamodb: new DynamoDBClient(options),
  secretsManager: new SecretsManagerClient(options),
  sqs: new SQSClient(options),
  fetch: createPlatformFetch(),
});
