import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { readEnvironment } from '#shared/lambda/env.ts';
import { lambdaProcess, requestLimits } from '#shared/lambda/lambda-process.ts';
import { createHandler, variables } from './handler.ts';
import { warmUp } from './warm-up.ts';

// An attempt that hangs must not use up the time of the next two: the platform waits for the answer.
const requestHandler = requestLimits(2_500);

export const handler = createHandler({
  ...lambdaProcess,
  environment: readEnvironment(variables, process.env),
  secretsManager: new SecretsManagerClient({ requestHandler }),
  sqs: new SQSClient({ requestHandler: { ...requestHandler, connectsAhead: true } }),
});

/** Lambda waits for it before it hands over the first request: `index.mjs` of the bundle. */
export const ready = warmUp(handler.secretRead);
