import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { readEnvironment } from '#shared/env.ts';
import { lambdaProcess } from '#shared/lambda-process.ts';
import { createHandler, variables } from './store-handler.ts';

const requestHandler = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };

export const handler = createHandler({
  ...lambdaProcess,
  environment: readEnvironment(variables, process.env),
  dynamodb: new DynamoDBClient({ requestHandler }),
  eventBridge: new EventBridgeClient({ requestHandler }),
  sqs: new SQSClient({ requestHandler }),
});
