import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readEnvironment } from '#shared/env.ts';
import { lambdaProcess } from '#shared/lambda-process.ts';
import { createHandler, variables } from './look-up-handler.ts';

const requestHandler = { connectionTimeout: 1_000, requestTimeout: 2_500, throwOnRequestTimeout: true };

export const handler = createHandler({
  ...lambdaProcess,
  environment: readEnvironment(variables, process.env),
  dynamodb: new DynamoDBClient({ requestHandler }),
});
