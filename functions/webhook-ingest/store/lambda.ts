import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { readEnvironment } from '#shared/lambda/env.ts';
import { lambdaProcess, requestLimits } from '#shared/lambda/lambda-process.ts';
import { createHandler, variables } from './handler.ts';

const requestHandler = requestLimits(3_000);

export const handler = createHandler({
  ...lambdaProcess,
  environment: readEnvironment(variables, process.env),
  dynamodb: new DynamoDBClient({ requestHandler: { ...requestHandler, connectsAhead: true } }),
  eventBridge: new EventBridgeClient({ requestHandler: { ...requestHandler, connectsAhead: true } }),
  sqs: new SQSClient({ requestHandler }),
});
