import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import { clientOptions, lambdaProcess, readEnvironment } from '#shared/lambda/lambda-process.ts';
import { createHandler, variables } from './handler.ts';

export const handler = createHandler({
  ...lambdaProcess,
  environment: readEnvironment(variables, process.env),
  secretsManager: new SecretsManagerClient(clientOptions(2_500)),
  // A connection of its own for each request: it is never a stale one, on which the outcome of a POST would be unknown.
  fetch: (url, request) => createPlatformFetch()(url, request),
});
