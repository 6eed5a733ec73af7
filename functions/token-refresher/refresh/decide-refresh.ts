import { digestToken, refreshInterval } from '#shared/connection/token-report.ts';
import type { StoredToken } from '#shared/secrets/token-store.ts';

export type RefreshSituation = {
  /** Undefined if what is stored is not a token. */
  readonly token: StoredToken | undefined;
  /** The digest of a token that the platform refused; undefined when no caller has reported one. */
  readonly rejectedToken: string | undefined;
  /** Whether an operator wants another token in place of this very version. */
  readonly isForced?: boolean;
  readonly now: Date;
};

/** Why a token is refreshed. */
export type RefreshReason = 'NO_TOKEN' | 'REJECTED' | 'FORCED' | 'HALF_SPENT';

export type RefreshDecision =
  | { readonly action: 'keep' }
  /** `wait` where there is a reason, but Secrets Manager would run out of versions. */
  | { readonly action: 'refresh' | 'wait'; readonly reason: RefreshReason };

/**
 * Secrets Manager keeps about 100 versions of a secret, and removes none that is younger than a day. So each refresh takes
 * 20 minutes of a pace that time gives back, and may run ahead of it by 20 refreshes: 92 in any day at the most.
 */
const pace = { perRefresh: 20 * 60_000, maxAheadMs: 20 * 20 * 60_000 } as const;

/**
 * Whether the stored token is to be replaced: when it would have less than half its life left before the next run, or
 * when it is the very one that was refused, or that an operator wants replaced. A report about any other token is about an
 * older one.
 */
export function decideRefresh({ token, rejectedToken, isForced = false, now }: RefreshSituation): RefreshDecision {
  const reason = reasonToRefresh({ token, rejectedToken, isForced, now });
  if (reason === undefined) return { action: 'keep' };
  const isAllowed = nextPace(token, now).getTime() - now.getTime() <= pace.maxAheadMs;
  return { action: isAllowed ? 'refresh' : 'wait', reason };
}

/** What the pace is after one more refresh: to be stored with its token. */
export function nextPace(token: Pick<StoredToken, 'pacedUntil'> | undefined, now: Date): Date {
  const time = now.getTime();
  // Never further ahead than refreshes can bring it, with any stored value.
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
