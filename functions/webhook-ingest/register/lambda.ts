import { randomBytes } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import { clientOptions, lambdaProcess, readEnvironment } from '#shared/lambda/lambda-process.ts';
import { createHandler, variables } from './handler.ts';

const options = clientOptions(5_000);

export const handler = createHandler({
  ...lambdaProcess,
  environment: readEnvironment(variables, process.env),
  secretsManager: new SecretsManagerClient(options),
  sqs: new SQSClient(options),
  fetch: createPlatformFetch(),
  newSecret: () => randomBytes(48).toString('base64url'),
});
