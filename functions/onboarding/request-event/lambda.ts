import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { readEnvironment } from '#shared/lambda/env.ts';
import { lambdaProcess, requestLimits } from '#shared/lambda/lambda-process.ts';
import { createHandler, variables } from './handler.ts';

const requestHandler = requestLimits(3_000);
/** About four minutes: Lambda tries an event three times in all, and no other function has it. */
const maxAttempts = 25;

export const handler = createHandler({
  ...lambdaProcess,
  environment: readEnvironment(variables, process.env),
  dynamodb: new DynamoDBClient({ requestHandler, maxAttempts }),
  eventBridge: new EventBridgeClient({ requestHandler, maxAttempts }),
  sqs: new SQSClient({ requestHandler, maxAttempts }),
  newSalt: () => randomBytes(16).toString('hex'),
});
