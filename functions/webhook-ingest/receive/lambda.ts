import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientOptions } from '#shared/aws/client-options.ts';
import { readEnvironment } from '#shared/lambda/env.ts';
import { lambdaProcess } from '#shared/lambda/lambda-process.ts';
import { createHandler, variables } from './handler.ts';
import { warmUp } from './warm-up.ts';

// An attempt that hangs must not use up the time of the next two: the platform waits for the answer.
const options = clientOptions(2_500);

export const handler = createHandler({
  ...lambdaProcess,
  environment: readEnvironment(variables, process.env),
  secretsManager: new SecretsManagerClient(options),
  sqs: new SQSClient(options),
});

/** Lambda waits for it before it hands over the first request: `index.mjs` of the bundle. */
export const ready = warmUp(handler.secretRead);
