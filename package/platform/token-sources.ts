import * as z from 'zod/mini';
import { anyFunction, checkOptions, urlOption } from '#package/check-options.ts';
import { parseJson } from '#shared/parse-json.ts';
import { messageMayBeLogged } from '#shared/platform/client/errors.ts';
import { type PlatformFetch, raceAbort } from '#shared/platform/client/http.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { fetchToken, type TokenSource } from '#shared/platform/token/token.ts';
import { createTokenCache, type StoredToken } from '#shared/platform/token/token-cache.ts';
import { refreshGroup, writeTokenReport } from '#shared/secrets/platform-token.ts';
import { createNodeFetch } from './node-fetch.ts';

/** The secret was not read in time, or does not hold the token of Drawbridge. Carries nothing of the secret. */
export class TokenSecretError extends Error {
  override readonly name = 'TokenSecretError';

  get [messageMayBeLogged](): true {
    return true;
  }
}

/** A message for the queue of token reports. */
export type TokenReport = {
  readonly body: string;
  /** The queue is FIFO: all reports are of one group. */
  readonly messageGroupId: string;
};

export type SecretTokensOptions = {
  /**
   * Reads the secret that the token refresher writes: its `SecretString`. Called again shortly before the token expires, and when the platform
   * refuses it. Fails after 10 seconds.
   */
  readonly readSecret: () => Promise<string | undefined>;
  /** Sends a message to the queue of token reports. Without it, the refresher finds a rejected token only by its age. */
  readonly sendReport?: ((report: TokenReport) => Promise<unknown>) | undefined;
  readonly now?: (() => Date) | undefined;
};

/** In milliseconds. Concurrent calls share one read of the secret: a read without an end would fail all later calls. */
const readSecretTimeout = 10_000;

const storedToken = z.object({
  accessToken: z.string().check(z.regex(/^[\x21-\x7e]+$/)),
  expiresAt: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
});

/**
 * The token that Drawbridge keeps in Secrets Manager, for functions beside it. Concurrent calls share one read of the secret.
 *
 * @throws {TypeError} if the options are something else
 */
export function tokensFromSecret(options: SecretTokensOptions): TokenSource {
  const expectation = 'tokensFromSecret expects { readSecret: async () => …, sendReport }.';
  checkOptions(z.object({ readSecret: anyFunction, sendReport: z.optional(anyFunction) }), options, expectation);
  const { readSecret, sendReport, now = () => new Date() } = options;

  async function readInTime(): Promise<string | undefined> {
    const signal = AbortSignal.timeout(readSecretTimeout);
    return raceAbort(signal, readSecret).catch((error: unknown) => {
      if (!signal.aborted || error !== signal.reason) throw error;
      throw new TokenSecretError(
        `The secret was not read within ${readSecretTimeout} ms: set a time-out of the client that reads it.`,
      );
    });
  }

  const { readStored } = keepLatest(now, async () => {
    const { data } = storedToken.safeParse(parseJson((await readInTime()) ?? ''));
    if (data !== undefined) return { accessToken: data.accessToken, expiresAt: new Date(data.expiresAt) };
    throw new TokenSecretError('The secret holds no platform token. Read the secret that the token refresher writes.');
  });
  return createTokenCache({
    readStored,
    reportRejected: async (token) => {
      await sendReport?.({ body: writeTokenReport(token), messageGroupId: refreshGroup });
    },
    now,
  });
}

export type OAuthTokensOptions = {
  /** {auth_url}. */
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly profile?: z.input<typeof platformProfile> | undefined;
  readonly fetch?: PlatformFetch | undefined;
  readonly now?: (() => Date) | undefined;
};

const usableOAuthOptions = z.object({
  authUrl: urlOption,
  clientId: z.string().check(z.minLength(1)),
  clientSecret: z.string().check(z.minLength(1)),
  profile: z.prefault(platformProfile, {}),
});

/**
 * Tokens by the OAuth 2.0 client credentials, for a process of its own. It asks for a token when it has none, shortly before the token
 * expires, and when the platform refuses it. Functions beside Drawbridge use {@link tokensFromSecret}: one token for all of them.
 *
 * @throws {TypeError} if the options are something else
 */
export function tokensFromOAuth(options: OAuthTokensOptions): TokenSource {
  const expectation = "tokensFromOAuth expects { authUrl: 'https://…', clientId, clientSecret }.";
  const credentials = checkOptions(usableOAuthOptions, options, expectation);
  const { fetch = createNodeFetch(), now = () => new Date() } = options;
  const request = { ...credentials, fetch, now };
  const { readStored, latest } = keepLatest(now, async () => {
    const askedAt = now().getTime();
    const { accessToken, expiresIn } = await fetchToken({ ...request, timeout: AbortSignal.timeout });
    return { accessToken, expiresAt: new Date(askedAt + expiresIn * 1_000) };
  });
  // The next read asks for another.
  const cache = createTokenCache({ readStored, reportRejected: async () => undefined, now });
  return {
    ...cache,
    read: async ({ fresh = false, rejected } = {}) => {
      // Another call has replaced the refused token. A third token could end the second one, which that call uses.
      const isReplaced = rejected !== undefined && rejected !== (latest()?.accessToken ?? rejected);
      return cache.read({ fresh: fresh && !isReplaced });
    },
  };
}

/** Keeps the latest token. A read that fails gives this token until it expires: reads begin a minute earlier. */
function keepLatest(now: () => Date, read: () => Promise<StoredToken>) {
  let latest: StoredToken | undefined;
  return {
    latest: () => latest,
    readStored: async () => {
      try {
        latest = await read();
      } catch (error) {
        if (latest === undefined || latest.expiresAt <= now()) throw error;
      }
      return latest;
    },
  };
}
