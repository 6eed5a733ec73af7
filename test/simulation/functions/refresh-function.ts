import { readCredentials } from '#functions/token-refresher/credentials.ts';
import { createRefresh } from '#functions/token-refresher/refresh.ts';
import { requestToken } from '#functions/token-refresher/request-token.ts';
import { batchHandler } from '#shared/handler.ts';
import { createTokenStore } from '#shared/token-store.ts';
import { type BuildHandler, toHandler } from './process-deps.ts';

/** In milliseconds: as in `refresh.lambda.ts`. */
const longestAttempt = 5_000;

/** As `refresh.lambda.ts`. */
export const buildRefresh: BuildHandler = ({ secretsManager, log, metrics, environment, ...deps }) => {
  const refresh = createRefresh({
    store: createTokenStore({ secretsManager, secretId: environment.PLATFORM_TOKEN_SECRET_ID }),
    requestToken: async () =>
      requestToken({
        authUrl: environment.authUrl,
        ...(await readCredentials({ secretsManager, secretId: 'platform-credentials' })),
        profile: environment.PLATFORM_PROFILE,
        fetch: deps.fetch,
        now: deps.now,
        timeout: (milliseconds) => deps.timeout(Math.min(milliseconds, longestAttempt)),
        random: deps.random,
        wait: deps.wait,
      }),
    now: deps.now,
    log,
    metrics,
  });
  return toHandler(batchHandler(refresh, { log, metrics }));
};
