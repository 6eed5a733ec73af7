import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import { readEnvironment } from '#shared/lambda/env.ts';
import { lambdaProcess, requestLimits } from '#shared/lambda/lambda-process.ts';
import { createHandler, variables } from './handler.ts';

const requestHandler = requestLimits(3_000);

export const handler = createHandler({
  ...lambdaProcess,
  environment: readEnvironment(variables, process.env),
  dynamodb: new DynamoDBClient({ requestHandler }),
  secretsManager: new SecretsManagerClient({ requestHandler }),
  sqs: new SQSClient({ requestHandler }),
  fetch: createPlatformFetch(),
});
