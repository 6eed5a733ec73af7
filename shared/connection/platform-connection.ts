import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createQueue } from '#shared/aws/queue.ts';
import { settingsVariable, textVariable } from '#shared/lambda/lambda-process.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import { createPlatformClient, type PlatformClient, type PlatformClientDeps } from '#shared/platform/client/client.ts';
import {
  type PlatformError,
  PlatformHttpError,
  PlatformNetworkError,
  PlatformTimeoutError,
} from '#shared/platform/client/errors.ts';
import type { PlatformFetch } from '#shared/platform/client/http.ts';
import { platformUrl } from '#shared/platform/fields/fields.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { createTokenCache } from '#shared/platform/token/token-cache.ts';
import { createTokenStore, refreshGroup, wasIssued, writeTokenReport } from '#shared/secrets/platform-token.ts';
import { createVersionedSecret } from '#shared/secrets/versioned-secret.ts';

/** The answer of a run that was skipped: it had no token to call the platform with. */
export type SkippedRun = { readonly skipped: string };

export type SkipBeforeFirstTokenDeps<Request extends readonly unknown[]> = {
  readonly connection: Pick<PlatformConnection, 'hasToken'>;
  readonly log: Log;
  /** Throws if a run would refuse the request: a skipped one does too. */
  readonly checkRequest?: (...request: Request) => unknown;
  /** Writes the metric by which the alarms see that the function runs. */
  readonly onSkipped?: () => void;
};

const reason = 'There is no platform token yet. Put the credentials into the secret PlatformCredentials.';

/**
 * Skips the runs of a function from its deployment until the first token. Without credentials a run has nothing to do:
 * nothing has failed. Once there was a token, a missing one is an error.
 */
export function skipBeforeFirstToken<Request extends readonly unknown[], Answer>(
  run: (...request: Request) => Promise<Answer>,
  { connection, log, checkRequest, onSkipped }: SkipBeforeFirstTokenDeps<Request>,
) {
  return async (...request: Request): Promise<Answer | SkippedRun> => {
    if (await connection.hasToken()) return run(...request);
    checkRequest?.(...request);
    log.info('run skipped before the first token');
    onSkipped?.();
    return { skipped: reason };
  };
}

type TimeCallsDeps = { readonly now: () => Date; readonly metrics: Pick<Metrics, 'time'> };

/** Measures how long the platform takes to answer, or until the attempt fails. Bodies are read later, and not measured. */
export function timeCalls(fetch: PlatformFetch, { now, metrics }: TimeCallsDeps): PlatformFetch {
  return async (url, request) => {
    const startedAt = now().getTime();
    try {
      return await fetch(url, request);
    } finally {
      metrics.time('PlatformCallDuration', now().getTime() - startedAt);
    }
  };
}

/** Whether the platform failed, and not the request: it answered 5xx, or not at all. 501 says that it has no such call. */
export function isOutage(error: PlatformError): boolean {
  if (error instanceof PlatformHttpError) return error.status >= 500 && error.status !== 501;
  return error instanceof PlatformNetworkError || error instanceof PlatformTimeoutError;
}

/** The environment variables of a function that calls the platform: to be spread into the schema of its environment. */
export const platformVariables = {
  PLATFORM_BASE_URL: platformUrl,
  PLATFORM_PROFILE: settingsVariable(platformProfile),
  /** The secret that the token refresher keeps the token in. */
  PLATFORM_TOKEN_SECRET_ID: textVariable,
  /** Where the token refresher takes reports of rejected tokens. */
  TOKEN_REFRESHES_QUEUE_URL: textVariable,
};

const platformEnvironment = z.object(platformVariables);

export type PlatformEnvironment = z.infer<typeof platformEnvironment>;

type PlatformConnectionDeps = Pick<PlatformClientDeps, 'fetch' | 'now' | 'random' | 'wait' | 'timeout'> & {
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly metrics: Pick<Metrics, 'time' | 'countCall'>;
};

export type PlatformConnection = PlatformClient & {
  /** Whether a token was ever stored, expired or not. Reads the secret until there was one. */
  readonly hasToken: () => Promise<boolean>;
};

/**
 * The platform, for a function: a client whose tokens are those that the token refresher stores, and which reports to it a
 * token that the platform refuses.
 */
export function connectPlatform(
  environment: PlatformEnvironment,
  { secretsManager, sqs, metrics, ...deps }: PlatformConnectionDeps,
): PlatformConnection {
  const store = createTokenStore(
    createVersionedSecret({ secretsManager, secretId: environment.PLATFORM_TOKEN_SECRET_ID, now: deps.now }),
  );
  const refreshes = createQueue({ sqs, queueUrl: environment.TOKEN_REFRESHES_QUEUE_URL, messageGroup: refreshGroup });
  const tokens = createTokenCache({
    readStored: store.readToken,
    reportRejected: (token) => refreshes.send(writeTokenReport(token)),
    now: deps.now,
  });
  const client = createPlatformClient({
    baseUrl: environment.PLATFORM_BASE_URL,
    profile: environment.PLATFORM_PROFILE,
    tokens,
    ...deps,
    fetch: timeCalls(deps.fetch, { now: deps.now, metrics }),
    onFailure: (error) => {
      if (isOutage(error)) metrics.countCall('PlatformCallsFailed', error.operation);
    },
  });
  let isFirstStored = false;
  async function hasToken(): Promise<boolean> {
    if (isFirstStored) return true;
    const { token } = await store.readVersion();
    isFirstStored = token === undefined || wasIssued(token);
    return isFirstStored;
  }
  return { ...client, hasToken };
}
