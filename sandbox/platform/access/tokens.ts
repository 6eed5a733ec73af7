import type { Clock } from '#sandbox/platform/core/clock.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';

export type Credentials = { readonly clientId: string; readonly clientSecret: string };

export const defaultCredentials: Credentials = { clientId: 'sandbox', clientSecret: 'sandbox-secret' };

export type TokensDeps = {
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  readonly settings: SettingsStore;
  readonly credentials: Credentials;
};

export type Tokens = ReturnType<typeof createTokens>;

/** The access tokens of section 5, valid for their lifetime unless revoked. */
export function createTokens({ clock, newId, settings, credentials }: TokensDeps) {
  /** The expiry of each token, in milliseconds since 1970. */
  const valid = new Map<string, number>();
  let issued = 0;

  function issue(): { readonly accessToken: string; readonly expiresIn: number } {
    for (const [token, expiresAt] of valid) if (expiresAt <= clock.now().getTime()) valid.delete(token);
    const expiresIn = settings.read().tokenLifetime;
    const accessToken = `${newId()}${newId()}`.replaceAll('-', '');
    valid.set(accessToken, clock.now().getTime() + expiresIn * 1_000);
    issued += 1;
    return { accessToken, expiresIn };
  }

  /** @throws {RefusedError} unless the header has a valid token */
  function check(authorization: string | undefined): void {
    const token = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) throw new RefusedError(401, 'Send the header Authorization: Bearer <access token>.');
    const expiresAt = valid.get(token);
    if (expiresAt === undefined) throw new RefusedError(401, 'The access token is unknown or was revoked.');
    if (expiresAt <= clock.now().getTime()) throw new RefusedError(401, 'The access token has expired.');
  }

  return {
    issue,
    check,
    accepts: ({ clientId, clientSecret }: Credentials) =>
      clientId === credentials.clientId && clientSecret === credentials.clientSecret,
    /** Revokes every token issued so far. */
    revoke: () => valid.clear(),
    /** The number of tokens issued so far. */
    issued: () => issued,
  };
}
