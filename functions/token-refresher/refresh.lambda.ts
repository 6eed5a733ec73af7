import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { readEnvironment } from '#shared/env.ts';
import { lambdaProcess, requestLimits } from '#shared/lambda-process.ts';
import { createPlatformFetch } from '#shared/platform-fetch.ts';
import { createHandler, variables } from './refresh-handler.ts';

export const handler = createHandler({
  ...lambdaProcess,
  environment: readEnvironment(variables, process.env),
  secretsManager: new SecretsManagerClient({ requestHandler: requestLimits(2_500) }),
  // A connection of its own for each request: it is never a stale one, of which nobody would know what became of a POST.
  fetch: (url, request) => createPlatformFetch()(url, request),
});
