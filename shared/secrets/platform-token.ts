import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { parseJson } from '#shared/parse-json.ts';
import type { VersionedSecret } from './versioned-secret.ts';

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

/** Whether it is a token of the platform, and not the value from 1970 that the stacks create. */
export function wasIssued({ issuedAt }: Pick<StoredToken, 'issuedAt'>): boolean {
  return issuedAt.getTime() > 0;
}

/** A version of the secret. */
export type TokenVersion = {
  readonly versionId: string;
  /** Undefined if what is stored is not a token. */
  readonly token: StoredToken | undefined;
};

export type TokenStore = {
  /** Reads the secret again. @throws `TokenStoreError` when it is not a token; `VersionedSecretError` when it cannot be read */
  readonly readToken: () => Promise<StoredToken>;
  /** Reads the secret again, with any content. @throws `VersionedSecretError` when it cannot be read */
  readonly readVersion: () => Promise<TokenVersion>;
  /**
   * Puts the token in the place of this version, once: `superseded` if another token has taken it. The same token
   * may be put again, as after an answer that was lost.
   *
   * @throws `VersionedSecretError` when Secrets Manager may not have it
   */
  readonly replace: (versionId: string, token: StoredToken) => Promise<'stored' | 'superseded'>;
};

/** The platform token in Secrets Manager: the refresher writes it, all others read it. */
export function createTokenStore(versions: VersionedSecret): TokenStore {
  async function readVersion(): Promise<TokenVersion> {
    const { versionId, text } = await versions.read();
    return { versionId, token: storedToken.safeParse(parseJson(text)).data };
  }

  async function readToken(): Promise<StoredToken> {
    const { token } = await readVersion();
    if (token !== undefined) return token;
    throw new DrawbridgeError(
      'TokenStoreError',
      'What is stored is not a platform token: the token refresher puts one in its place.',
    );
  }

  return {
    readToken,
    readVersion,
    replace: (versionId, token) => versions.replace(versionId, JSON.stringify(token)),
  };
}

/** All messages to the token refresher are of one group, so that it works on one at a time. */
export const refreshGroup = 'refresh';

/** In milliseconds: how often the token refresher checks the token, with or without reports. */
export const refreshInterval = 5 * 60_000;

/** A message to the token refresher about a token that the platform refused. Names it by its digest, never itself. */
const tokenReport = z.object({ rejectedToken: z.string() });

/** The SHA-256 of a token, in hex: distinguishes tokens, and reveals nothing of a token that cannot be guessed. */
export function digestToken(token: string): string {
  return hash('sha256', token);
}

/** The same token gives the same text: SQS then takes it once in five minutes, however many report it. */
export function writeTokenReport(token: string): string {
  return JSON.stringify({ rejectedToken: digestToken(token) } satisfies z.infer<typeof tokenReport>);
}

/** The digest of the rejected token; undefined if the message reports no token. The message of the schedule reports no token. */
export function readTokenReport(message: string): string | undefined {
  return tokenReport.safeParse(parseJson(message)).data?.rejectedToken;
}

/** A message to the token refresher that asks for another token in place of a version of the secret, however long that token lives. */
const forcedRefresh = z.object({ replacedVersion: z.string().check(z.minLength(1)) });

/** Names a version, so that the message has no effect any more once the version is replaced. */
export function writeForcedRefresh(versionId: string): string {
  return JSON.stringify({ replacedVersion: versionId } satisfies z.infer<typeof forcedRefresh>);
}

/** The version that is to be replaced; undefined if the message forces nothing. */
export function readForcedRefresh(message: string): string | undefined {
  return forcedRefresh.safeParse(parseJson(message)).data?.replacedVersion;
}
