import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientOptions, lambdaProcess, readEnvironment } from '#shared/lambda/lambda-process.ts';
import { createHandler, variables } from './handler.ts';

const options = clientOptions(2_500);

export const handler = createHandler({
  ...lambdaProcess,
  environment: readEnvironment(variables, process.env),
  dynamodb: new DynamoDBClient(options),
});
