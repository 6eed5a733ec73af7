import * as z from 'zod/mini';
import {
  fieldsOf,
  PlatformAnswerTooLargeError,
  PlatformNetworkError,
  PlatformSchemaError,
  PlatformTimeoutError,
} from '#shared/platform/client/errors.ts';
import {
  AnswerTooLargeError,
  isSuccess,
  type PlatformFetch,
  parseBody,
  readPlatformAnswer,
} from '#shared/platform/client/http.ts';
import { toHttpError } from '#shared/platform/client/read-http-error.ts';
import { maybe, receivedNumber } from '#shared/platform/fields/received.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';

/** An access token (section 5), and how long it lives. */
export type AccessToken = {
  readonly accessToken: string;
  /** In seconds, from when it was issued. */
  readonly expiresIn: number;
};

export type TokenReadOptions = {
  /** Whether to read the token again, past any cache. */
  readonly fresh?: boolean;
  /** With `fresh`: the token that the platform has refused. A source that has another token by now may give that one. */
  readonly rejected?: string | undefined;
};

/** Where calls get their token from. Reading it must not cost a call to the token service. */
export type TokenSource = {
  /** A token that is not expired. */
  readonly read: (options?: TokenReadOptions) => Promise<string>;
  /** Says that the platform refused this very token with 401. */
  readonly reportRejected: (token: string) => Promise<void>;
};

export type TokenRequest = {
  /** {auth_url} */
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly profile: PlatformProfile;
  readonly fetch: PlatformFetch;
  readonly now: () => Date;
  /** A signal that aborts after so many milliseconds: `AbortSignal.timeout`. */
  readonly timeout: (milliseconds: number) => AbortSignal;
};

const operation = 'Get Token';

/** Section 5.3: what the token service answers. */
export const tokenResponse = z.object({
  // Printable: it goes into a header.
  access_token: z.string().check(z.regex(/^[\x21-\x7e]+$/)),
  token_type: maybe(z.string().check(z.regex(/^bearer$/i))),
  expires_in: z.pipe(receivedNumber, z.number().check(z.positive())),
});

/**
 * Gets an access token by the OAuth 2.0 Client Credentials flow (sections 4 and 5).
 *
 * @throws {PlatformHttpError} with the OAuth error, such as `invalid_client`, as its errorCode
 * @throws {PlatformNetworkError} {PlatformTimeoutError} {PlatformSchemaError}
 */
export async function fetchToken({
  authUrl,
  clientId,
  clientSecret,
  profile,
  fetch: send,
  now,
  timeout,
}: TokenRequest): Promise<AccessToken> {
  const { token, deadlines } = profile;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  if (token.scope !== undefined) form.set('scope', token.scope);
  const signal = timeout(deadlines.attempt);
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await send(`${authUrl}${token.path}`, {
    method: 'POST',
    headers,
    body: form.toString(),
    redirect: 'manual',
    signal,
  })
    .then(readPlatformAnswer)
    .catch((cause: unknown) => {
      if (cause instanceof AnswerTooLargeError) throw new PlatformAnswerTooLargeError(operation, cause.limit);
      if (signal.aborted) throw new PlatformTimeoutError(operation, deadlines.attempt);
      throw new PlatformNetworkError(operation, { cause });
    });
  if (!isSuccess(answer)) throw toHttpError(operation, answer, { isUnauthorizedFinal: true, now: now() });
  const response = tokenResponse.safeParse(parseBody(answer));
  if (!response.success) throw new PlatformSchemaError(operation, fieldsOf(response.error));
  return { accessToken: response.data.access_token, expiresIn: response.data.expires_in };
}
