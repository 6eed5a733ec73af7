import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { parseJson } from '#shared/parse-json.ts';
import { PlatformError, PlatformHttpError } from '#shared/platform/client/errors.ts';
import { type AccessToken, fetchToken, type TokenRequest } from '#shared/platform/token/token.ts';

const text = z.string().check(z.minLength(1));

/** The credentials that the operator of the platform has issued (section 5.1). The stacks create the secret without a client id. */
const credentials = z.object({ clientId: text, clientSecret: text });

export type Credentials = z.infer<typeof credentials>;

/** The secret holds no credentials: an operator must store them. */
export class CredentialsMissingError extends DrawbridgeError {
  constructor(message: string, options?: ErrorOptions) {
    super('CredentialsMissingError', message, options);
  }
}

/** Reads the client credentials without a cache: they are needed twice an hour. @throws `CredentialsError` */
export async function readCredentials({
  secretsManager,
  secretId,
}: {
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly secretId: string;
}): Promise<Credentials> {
  const { SecretString } = await secretsManager
    .send(new GetSecretValueCommand({ SecretId: secretId }))
    .catch((cause: unknown) => {
      throw new DrawbridgeError(
        'CredentialsError',
        'Secrets Manager did not give the platform credentials: try again.',
        { cause },
      );
    });
  const result = credentials.safeParse(parseJson(SecretString ?? ''));
  if (result.success) return result.data;
  throw new CredentialsMissingError(
    'Put {"clientId": "…", "clientSecret": "…"}, as the operator of the platform has issued them, into the secret PlatformCredentials: until then there is no token.',
  );
}

type RequestTokenDeps = TokenRequest & {
  /** From 0 to 1: for the jitter of the retry. */
  readonly random: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
};

/** In milliseconds: the longest pause before the retry. */
const maxPauseMs = 1_000;

/**
 * Requests a token from the token service, and retries once if that may help: while a token is revoked, nothing else works.
 *
 * @throws `TokenServiceError`
 */
export async function requestToken(deps: RequestTokenDeps): Promise<AccessToken> {
  try {
    return await fetchToken(deps);
  } catch (error) {
    if (!deservesRetry(error)) throw describe(error);
  }
  await deps.wait(deps.random() * maxPauseMs);
  return fetchToken(deps).catch((error: unknown) => {
    throw describe(error);
  });
}

/** False if the service wants no further call: the next run follows soon. */
function deservesRetry(error: unknown): boolean {
  if (error instanceof PlatformHttpError && error.retryAfter !== undefined) return false;
  return error instanceof PlatformError && error.isRetryable;
}

/** RFC 6749 section 5.2. Any other text could hold anything. */
const refusals: ReadonlySet<string | undefined> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]);

function describe(cause: unknown): DrawbridgeError {
  const code = cause instanceof PlatformHttpError && refusals.has(cause.errorCode) ? cause.errorCode : undefined;
  const message =
    code === undefined
      ? 'The token service gave no token; the stored one stays, and the next run tries again.'
      : `The token service refuses with ${code}: check the secret PlatformCredentials, and token.scope in the platform profile.`;
  return new DrawbridgeError('TokenServiceError', message, { cause });
}
