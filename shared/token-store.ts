import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { DrawbridgeError } from './drawbridge-error.ts';
import { replaceVersion } from './versioned-secret.ts';

const time = z.pipe(
  z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
  z.transform((text) => new Date(text)),
);

/** The token of all who call the platform, as Secrets Manager keeps it: JSON, its times in ISO 8601 (UTC). */
const storedToken = z.object({
  // Printable: it goes into a header.
  accessToken: z.string().check(z.regex(/^[\x21-\x7e]+$/)),
  issuedAt: time,
  /** When the platform no longer accepts it (section 5.3). */
  expiresAt: time,
  /** How far the refreshes so far have used up what Secrets Manager allows: the refresher's to read and write. */
  pacedUntil: time,
});

export type StoredToken = z.infer<typeof storedToken>;

/** A version of the secret. */
export type TokenVersion = {
  readonly versionId: string;
  /** Undefined where what is stored is no token. */
  readonly token: StoredToken | undefined;
};

export type TokenStore = {
  /** Reads it anew. @throws {TokenStoreError} when it cannot be read, or is no token */
  readonly readToken: () => Promise<StoredToken>;
  /** Reads it anew, whatever it is. @throws {TokenStoreError} when it cannot be read */
  readonly readVersion: () => Promise<TokenVersion>;
  /**
   * Puts the token in the place of this version, once: `superseded` where another token has taken it. The same token
   * may be put again, as after an answer that was lost.
   *
   * @throws {TokenStoreError} when Secrets Manager may not have it
   */
  readonly replace: (versionId: string, token: StoredToken) => Promise<'stored' | 'superseded'>;
};

export type TokenStoreDeps = {
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly secretId: string;
};

/** The token cannot be read or written. Carries nothing of it. */
export class TokenStoreError extends DrawbridgeError {
  override readonly name = 'TokenStoreError';
}

/** The platform token in Secrets Manager: the refresher writes it, all others read it. */
export function createTokenStore({ secretsManager, secretId }: TokenStoreDeps): TokenStore {
  async function readVersion(): Promise<TokenVersion> {
    const { VersionId, SecretString } = await secretsManager
      .send(new GetSecretValueCommand({ SecretId: secretId }))
      .catch((cause: unknown) => {
        throw new TokenStoreError('Secrets Manager did not give the platform token: read it again.', { cause });
      });
    if (VersionId === undefined) throw new TokenStoreError('Secrets Manager named no version: read the token again.');
    return { versionId: VersionId, token: storedToken.safeParse(parseJson(SecretString ?? '')).data };
  }

  async function readToken(): Promise<StoredToken> {
    const { token } = await readVersion();
    if (token !== undefined) return token;
    throw new TokenStoreError('What is stored is no platform token: the token refresher puts one in its place.');
  }

  async function replace(versionId: string, token: StoredToken): Promise<'stored' | 'superseded'> {
    return replaceVersion({ secretsManager, secretId }, versionId, JSON.stringify(token)).catch((cause: unknown) => {
      throw new TokenStoreError('Secrets Manager did not take the platform token: refresh it again.', { cause });
    });
  }

  return { readToken, readVersion, replace };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No cause: a SyntaxError quotes the text, and the text may be a token.
    return undefined;
  }
}
