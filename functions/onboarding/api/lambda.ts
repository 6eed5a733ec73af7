import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { readEnvironment } from '#shared/lambda/env.ts';
import { lambdaProcess, requestLimits } from '#shared/lambda/lambda-process.ts';
import { createHandler, variables } from './handler.ts';

const requestHandler = requestLimits(3_000);

export const handler = createHandler({
  ...lambdaProcess,
  environment: readEnvironment(variables, process.env),
  dynamodb: new DynamoDBClient({ requestHandler }),
  sqs: new SQSClient({ requestHandler }),
  newSalt: () => randomBytes(16).toString('hex'),
});
