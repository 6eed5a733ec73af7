import { randomBytes } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { readEnvironment } from '#shared/env.ts';
import { lambdaProcess, requestLimits } from '#shared/lambda-process.ts';
import { createPlatformFetch } from '#shared/platform-fetch.ts';
import { createHandler, variables } from './register-handler.ts';

const requestHandler = requestLimits(5_000);

export const handler = createHandler({
  ...lambdaProcess,
  environment: readEnvironment(variables, process.env),
  secretsManager: new SecretsManagerClient({ requestHandler }),
  sqs: new SQSClient({ requestHandler }),
  fetch: createPlatformFetch(),
  newSecret: () => randomBytes(48).toString('base64url'),
});
