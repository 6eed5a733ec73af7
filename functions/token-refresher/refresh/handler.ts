import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { batchHandler } from '#shared/lambda/handler.ts';
import { type ProcessDeps, settingsVariable, textVariable } from '#shared/lambda/lambda-process.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createMetrics, metricsVariables } from '#shared/lambda/metrics.ts';
import type { PlatformFetch } from '#shared/platform/client/http.ts';
import { platformUrl } from '#shared/platform/fields/fields.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { createTokenStore } from '#shared/secrets/platform-token.ts';
import { createVersionedSecret } from '#shared/secrets/versioned-secret.ts';
import { createRefresh } from './refresh.ts';
import { readCredentials, requestToken } from './request-token.ts';

/** What the stacks put into the environment. */
export const variables = z.object({
  ...metricsVariables,
  PLATFORM_AUTH_URL: platformUrl,
  PLATFORM_TOKEN_SECRET_ID: textVariable,
  PLATFORM_CREDENTIALS_SECRET_ID: textVariable,
  PLATFORM_PROFILE: settingsVariable(platformProfile),
});

type RefreshHandlerDeps = ProcessDeps & {
  readonly environment: z.infer<typeof variables>;
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly fetch: PlatformFetch;
};

/** In milliseconds: two attempts must fit into the function's time, even when the profile allows one call more. */
const attemptTimeoutMs = 5_000;

/** The handler of `refresh`, as its entry exports it. */
export function createHandler({ environment, secretsManager, fetch, write, ...deps }: RefreshHandlerDeps) {
  const { now, random, wait, timeout } = deps;
  const log = createLog({ write, now });
  const metrics = createMetrics({ write, now, environment: environment.ENVIRONMENT });
  const refresh = createRefresh({
    store: createTokenStore(
      createVersionedSecret({ secretsManager, secretId: environment.PLATFORM_TOKEN_SECRET_ID, now }),
    ),
    requestToken: async () =>
      requestToken({
        authUrl: environment.PLATFORM_AUTH_URL,
        ...(await readCredentials({ secretsManager, secretId: environment.PLATFORM_CREDENTIALS_SECRET_ID })),
        profile: environment.PLATFORM_PROFILE,
        fetch,
        now,
        timeout: (milliseconds) => timeout(Math.min(milliseconds, attemptTimeoutMs)),
        random,
        wait,
      }),
    now,
    wait,
    log,
    metrics,
  });
  return batchHandler(refresh, { log, metrics });
}
