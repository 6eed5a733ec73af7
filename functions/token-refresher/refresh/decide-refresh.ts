import { digestToken, refreshInterval, type StoredToken } from '#shared/secrets/platform-token.ts';

export type RefreshSituation = {
  /** Undefined if what is stored is not a token. */
  readonly token: StoredToken | undefined;
  /** The digest of a token that the platform refused; undefined when no caller has reported one. */
  readonly rejectedToken: string | undefined;
  /** Whether an operator wants this version of the token replaced. */
  readonly isForced?: boolean;
  readonly now: Date;
};

/** Why a token is refreshed. */
export type RefreshReason = 'NO_TOKEN' | 'REJECTED' | 'FORCED' | 'HALF_SPENT';

export type RefreshDecision =
  | { readonly action: 'keep' }
  /** `wait` if there is a reason, but Secrets Manager would run out of versions. */
  | { readonly action: 'refresh' | 'wait'; readonly reason: RefreshReason };

/**
 * Secrets Manager keeps about 100 versions of a secret, and removes none that is younger than a day. So refreshes have a rate limit:
 * one each 20 minutes, with a burst of 20. That is at most 92 in any day.
 */
const pace = { perRefresh: 20 * 60_000, maxAheadMs: 20 * 20 * 60_000 } as const;

/**
 * Whether to replace the stored token: if less than half of its life would be left before the next run, if the platform refused this
 * token, or if an operator wants it replaced. A report about any other token is about an older one.
 */
export function decideRefresh({ token, rejectedToken, isForced = false, now }: RefreshSituation): RefreshDecision {
  const reason = reasonToRefresh({ token, rejectedToken, isForced, now });
  if (reason === undefined) return { action: 'keep' };
  const isAllowed = nextPace(token, now).getTime() - now.getTime() <= pace.maxAheadMs;
  return { action: isAllowed ? 'refresh' : 'wait', reason };
}

/** The rate limit after one more refresh, to store with its token. */
export function nextPace(token: Pick<StoredToken, 'pacedUntil'> | undefined, now: Date): Date {
  const time = now.getTime();
  // Never more than the burst, with any stored value.
  const pacedUntil = Math.min(token?.pacedUntil.getTime() ?? time, time + pace.maxAheadMs);
  return new Date(Math.max(pacedUntil, time) + pace.perRefresh);
}

function reasonToRefresh({
  token,
  rejectedToken,
  isForced,
  now,
}: Required<RefreshSituation>): RefreshReason | undefined {
  if (token === undefined) return 'NO_TOKEN';
  if (rejectedToken === digestToken(token.accessToken)) return 'REJECTED';
  if (isForced) return 'FORCED';
  const lifetime = token.expiresAt.getTime() - token.issuedAt.getTime();
  const left = token.expiresAt.getTime() - now.getTime();
  return left - refreshInterval < lifetime / 2 ? 'HALF_SPENT' : undefined;
}
