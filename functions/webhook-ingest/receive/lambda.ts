import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientOptions, lambdaProcess, readEnvironment, sampledTrace } from '#shared/lambda/lambda-process.ts';
import { createHandler, variables, warmUp } from './handler.ts';

// The platform waits for the answer, and Lambda for ten seconds. If every attempt hangs, the secret takes 3 seconds and SQS 6.
const secretOptions = clientOptions(1_500, 2);
const queueOptions = clientOptions(2_000);

export const handler = createHandler({
  ...lambdaProcess,
  traceId: () => sampledTrace(process.env['_X_AMZN_TRACE_ID']),
  environment: readEnvironment(variables, process.env),
  secretsManager: new SecretsManagerClient(secretOptions),
  sqs: new SQSClient(queueOptions),
});

/** Lambda waits for it before it hands over the first request: `index.mjs` of the bundle. */
export const ready = warmUp(handler.secretRead);
