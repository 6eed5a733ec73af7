import { setTimeout as wait } from 'node:timers/promises';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { readEnvironment, settingsVariable, textVariable } from '#shared/env.ts';
import { batchHandler } from '#shared/handler.ts';
import { createLog } from '#shared/log.ts';
import { createMetrics } from '#shared/metrics.ts';
import { platformUrl } from '#shared/platform/platform-url.ts';
import { platformProfile } from '#shared/platform/profile.ts';
import { createPlatformFetch } from '#shared/platform-fetch.ts';
import { createTokenStore } from '#shared/token-store.ts';
import { readCredentials } from './credentials.ts';
import { createRefresh } from './refresh.ts';
import { requestToken } from './request-token.ts';

const environment = readEnvironment(
  z.object({
    PLATFORM_AUTH_URL: platformUrl,
    PLATFORM_TOKEN_SECRET_ID: textVariable,
    PLATFORM_CREDENTIALS_SECRET_ID: textVariable,
    PLATFORM_PROFILE: settingsVariable(platformProfile),
  }),
  process.env,
);
const now = () => new Date();
const write = (line: string) => process.stdout.write(line);
const log = createLog({ write, now });
const metrics = createMetrics({ write, now });
const secretsManager = new SecretsManagerClient({
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_500, throwOnRequestTimeout: true },
});

/** In milliseconds: two attempts must fit into the function's time, whatever the profile allows one call. */
const longestAttempt = 5_000;

const refresh = createRefresh({
  store: createTokenStore({ secretsManager, secretId: environment.PLATFORM_TOKEN_SECRET_ID }),
  requestToken: async () =>
    requestToken({
      authUrl: environment.PLATFORM_AUTH_URL,
      ...(await readCredentials({ secretsManager, secretId: environment.PLATFORM_CREDENTIALS_SECRET_ID })),
      profile: environment.PLATFORM_PROFILE,
      fetch: createPlatformFetch(),
      now,
      timeout: (milliseconds) => AbortSignal.timeout(Math.min(milliseconds, longestAttempt)),
      random: Math.random,
      wait: (milliseconds) => wait(milliseconds),
    }),
  now,
  log,
  metrics,
});

export const handler = batchHandler(refresh, { log, metrics });
