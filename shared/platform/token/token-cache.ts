import { messageMayBeLogged } from '#shared/platform/client/errors.ts';
import type { TokenSource } from './token.ts';

/** A token as it is stored for all who call the platform. */
export type StoredToken = {
  readonly accessToken: string;
  /** When the platform no longer accepts it. */
  readonly expiresAt: Date;
};

type TokenCacheDeps = {
  /** Reads the token that the refresher has stored. */
  readonly readStored: () => Promise<StoredToken>;
  /** Tells the refresher that the platform refused this very token, or that it has expired. */
  readonly reportRejected: (token: string) => Promise<void>;
  readonly now: () => Date;
};

/** The cache gives no expired token. */
export class TokenExpiredError extends Error {
  override readonly name = 'TokenExpiredError';

  get [messageMayBeLogged](): true {
    return true;
  }
}

/** In milliseconds before it expires: from then on a cached token is read again, since a call takes its time. */
const margin = 60_000;

/** Keeps a token until shortly before it expires. Callers at the same time share one read, and one report. */
export function createTokenCache({ readStored, reportRejected, now }: TokenCacheDeps): TokenSource {
  let cached: StoredToken | undefined;
  let reading: Promise<StoredToken> | undefined;
  let expired: string | undefined;
  let reporting: { readonly token: string; readonly done: Promise<void> } | undefined;

  function readOnce(): Promise<StoredToken> {
    reading ??= readStored()
      .then((stored) => {
        cached = stored;
        return stored;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  async function read({ fresh = false } = {}): Promise<string> {
    const isUsable = cached !== undefined && cached.expiresAt.getTime() - margin > now().getTime();
    const { accessToken, expiresAt } = fresh || !isUsable || cached === undefined ? await readOnce() : cached;
    // Also if the date is invalid.
    if (expiresAt > now()) return accessToken;
    await reportExpired(accessToken);
    throw new TokenExpiredError('The stored token has expired: the token refresher says why.');
  }

  /** Once: the refresher repeats what fails. Its next scheduled run would be minutes away. */
  async function reportExpired(token: string): Promise<void> {
    if (expired === token) return;
    await report(token).then(
      () => {
        expired = token;
      },
      () => undefined,
    );
  }

  async function report(token: string): Promise<void> {
    if (reporting?.token !== token) {
      const done = reportRejected(token).finally(() => {
        reporting = undefined;
      });
      reporting = { token, done };
    }
    return reporting.done;
  }

  return { read, reportRejected: report };
}
