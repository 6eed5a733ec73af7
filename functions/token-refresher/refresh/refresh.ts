import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import type { AccessToken } from '#shared/platform/token/token.ts';
import {
  readForcedRefresh,
  readTokenReport,
  type StoredToken,
  type TokenStore,
  type TokenVersion,
  wasIssued,
} from '#shared/secrets/platform-token.ts';
import { decideRefresh, nextPace, type RefreshReason } from './decide-refresh.ts';
import { CredentialsMissingError } from './request-token.ts';

type RefreshDeps = {
  readonly store: Pick<TokenStore, 'readVersion' | 'replace'>;
  /** Gets a new token from the token service. */
  readonly requestToken: () => Promise<AccessToken>;
  readonly now: () => Date;
  /** Resolves after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly log: Log;
  readonly metrics: Metrics;
};

/**
 * Checks the stored token for one message: from the schedule, from an operator, or a report of a rejected token. Replaces the token if
 * {@link decideRefresh} returns a reason. Can be repeated, and run concurrently: a version is replaced once. Until the first
 * credentials are stored, a run does nothing and does not fail.
 *
 * @throws when there is no new token although there should be one: SQS then delivers the message again
 */
export function createRefresh({ store, requestToken, now, wait, log, metrics }: RefreshDeps) {
  /** The version with the token that the token service still returns, and when to request another one. */
  let unrenewed: { readonly versionId: string; readonly retryOn: Date } | undefined;

  return async (message: string): Promise<void> => {
    const version = await store.readVersion();
    const { token } = version;
    const isForced = readForcedRefresh(message) === version.versionId;
    const decision = decideRefresh({ token, rejectedToken: readTokenReport(message), isForced, now: now() });
    if (decision.action === 'keep') return measure(token);
    const isUnrenewed = version.versionId === unrenewed?.versionId && isValid(token) && now() < unrenewed.retryOn;
    if (decision.reason === 'HALF_SPENT' && isUnrenewed) return measureUnrenewed(token);
    try {
      if (decision.action === 'wait') throw new DrawbridgeError('TokenRefreshError', tooOften);
      await replaceToken(version, decision.reason);
    } catch (error) {
      if (error instanceof CredentialsMissingError && token !== undefined && !wasIssued(token)) {
        log.warn('credentials missing', { error });
        return metrics.measure('CredentialsMissing', 1);
      }
      metrics.count('TokenRefreshesFailed');
      // A refused token is worthless, even with lifetime left.
      measure(decision.reason === 'REJECTED' ? undefined : token);
      throw error;
    }
  };

  async function replaceToken({ versionId, token }: TokenVersion, reason: RefreshReason): Promise<void> {
    const next = await newToken(token, reason);
    const isSame = next === 'the same' || next.accessToken === token?.accessToken;
    if (isSame && isValid(token) && (reason === 'REJECTED' || reason === 'FORCED')) {
      // Soon another one follows: the message comes again, since SQS takes no second report of the token within five minutes.
      if (next === 'the same' && token.expiresAt.getTime() - now().getTime() < soonMs)
        throw new DrawbridgeError('TokenRefreshError', sameToken);
      // No failure of the message: repeated, it would get the same token, and all later messages of the group would wait for it. If the
      // platform still refuses the token, the next 401 reports it again.
      metrics.count('TokenRefreshesFailed');
      log.error('token not replaced', { reason, error: new DrawbridgeError('TokenRefreshError', sameToken) });
    }
    if (next === 'the same') {
      unrenewed = { versionId, retryOn: halfOfRemainingLife(token, now()) };
      if (reason !== 'HALF_SPENT') return measure(token);
      log.info('token kept', { reason });
      return measureUnrenewed(token);
    }
    if ((await store.replace(versionId, next)) === 'superseded')
      return log.info('token refreshed by another run', { reason });
    log.info('token refreshed', { reason });
    metrics.count('TokensRefreshed');
    measure(next);
  }

  /** `the same`: the token service gives the stored token, which lives no longer than it is stored with, and is still valid. */
  async function newToken(old: StoredToken | undefined, reason: RefreshReason): Promise<StoredToken | 'the same'> {
    let next = await requestTimedToken();
    if (isUnchanged(next, old) && !isValid(old)) {
      // The clock of the token service is behind, or its lifetime began later: the token expires there in a moment.
      await wait(Math.min(next.expiresIn * 1_000, maxExpiryWaitMs));
      next = await requestTimedToken();
    }
    const { accessToken, issuedAt, expiresAt } = next;
    if (isUnchanged(next, old)) {
      if (isValid(old)) return 'the same';
      throw new DrawbridgeError('TokenRefreshError', sameToken);
    }
    if (reason === 'HALF_SPENT' && old !== undefined && expiresAt <= old.expiresAt)
      throw new DrawbridgeError('TokenRefreshError', noLonger);
    return { accessToken, issuedAt, expiresAt, pacedUntil: nextPace(old, issuedAt) };
  }

  async function requestTimedToken(): Promise<AccessToken & { readonly issuedAt: Date; readonly expiresAt: Date }> {
    // Taken before the request, so that the assumed lifetime is never too long.
    const issuedAt = now();
    const token = await requestToken();
    const lifetime = Math.min(token.expiresIn, maxLifetimeSeconds) * 1_000;
    return { ...token, issuedAt, expiresAt: new Date(issuedAt.getTime() + lifetime) };
  }

  function isValid(token: StoredToken | undefined): token is StoredToken {
    return token !== undefined && token.expiresAt > now();
  }

  /** Keeps the alarm off, which is about a token that nothing renews: the token service renews this token when it expires. */
  function measureUnrenewed(token: StoredToken | undefined): void {
    measure(token, token?.issuedAt);
  }

  function measure(token: StoredToken | undefined, from = now()): void {
    const left = (token?.expiresAt.getTime() ?? 0) - from.getTime();
    metrics.measure('CredentialsMissing', 0);
    metrics.measure('TokenSecondsLeft', Math.max(0, Math.floor(left / 1_000)));
  }
}

/** Whether it is the same token, with the life that is known. */
function isUnchanged(
  { accessToken, expiresAt }: Pick<StoredToken, 'accessToken' | 'expiresAt'>,
  old: StoredToken | undefined,
): boolean {
  const isProlonged = old !== undefined && expiresAt.getTime() - old.expiresAt.getTime() >= minProlongationMs;
  return accessToken === old?.accessToken && !isProlonged;
}

/**
 * When to request another token. Some token services renew a token only minutes before its expiry: each attempt comes after half of
 * the remaining life, so that the last attempts are as frequent as the runs.
 */
function halfOfRemainingLife(token: StoredToken | undefined, now: Date): Date {
  const left = (token?.expiresAt.getTime() ?? 0) - now.getTime();
  return new Date(now.getTime() + Math.max(0, left) / 2);
}

/** In seconds: a longer lifetime counts as this one. */
const maxLifetimeSeconds = 86_400;

/** In milliseconds: the same token is stored again if its life is longer by at least this. Less can be rounding of the token service. */
const minProlongationMs = 60_000;

/** In milliseconds: the pause between two runs of the schedule. */
const soonMs = 300_000;

/** In milliseconds: two requests, and the wait between them, must fit into the time of the function. */
const maxExpiryWaitMs = 5_000;

const tooOften =
  'The platform refuses one new token after the other, or lets them live too short: the next may be stored in 20 minutes at the latest. See that base URL, auth URL and credentials are of one environment.';
const sameToken =
  'The token service gave the very token that is stored: no other takes its place. If the platform refuses it, see that base URL, auth URL and credentials are of one environment.';
const noLonger = 'The token service gave a token that lives no longer than the stored one: that one stays.';
