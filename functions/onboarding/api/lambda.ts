import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientOptions, lambdaProcess, readEnvironment } from '#shared/lambda/lambda-process.ts';
import { createHandler, variables } from './handler.ts';

const options = clientOptions(3_000);

export const handler = createHandler({
  ...lambdaProcess,
  environment: readEnvironment(variables, process.env),
  dynamodb: new DynamoDBClient(options),
  sqs: new SQSClient(options),
  newSalt: () => randomBytes(16).toString('hex'),
});
