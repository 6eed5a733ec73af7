import type { FaultKind } from '#test/simulation/faults/fault-kinds.ts';
import type { SimulatedProcess } from '#test/simulation/scheduler/process.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import { apartOf } from '#test/simulation/system/skew.ts';
import type { BrokenPromise, FinalCheck } from './promise.ts';

/** In milliseconds: the tolerance for clock skew. */
const toleranceOf = ({ faults }: SimulatedSystem) => apartOf(faults);

/** Promise 7: no call uses an expired token. */
export function checkToken(
  system: SimulatedSystem,
  process: SimulatedProcess,
  token: string,
): BrokenPromise | undefined {
  system.judged(7);
  const issued = system.platform.tokens.get(token);
  if (issued === undefined) return { promise: 7, what: `${process.name} calls with an unknown token.` };
  const left = issued.expiresAt - system.scheduler.now();
  if (left + toleranceOf(system) <= 0) return { promise: 7, what: `${process.name} calls with an expired token.` };
  if (left + toleranceOf(system) >= minTokenLifetimeMs || !isReplaced(system, token)) return undefined;
  return { promise: 7, what: `${process.name} calls with a replaced token that expires during the call.` };
}

/** In milliseconds: the minimum remaining lifetime of a cached token, which must outlast a call. */
const minTokenLifetimeMs = 50_000;

/** In milliseconds: how long a read of a secret can return the previous version. */
const staleness = 15_000;

/** Whether another token was stored, longer ago than reads can be stale. */
function isReplaced({ cloud, scheduler }: SimulatedSystem, token: string): boolean {
  const stored = cloud.secretsManager.versions('platform-token').at(-1);
  return stored !== undefined && !stored.text.includes(token) && scheduler.now() - stored.createdAt > staleness;
}

/** Kinds of faults that delay the refresher at most as long as promise 7 allows. */
const harmless: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'token service down',
  'cold start',
  'endpoint down',
  'gateway throttling',
  'response to a delivery lost',
  'delivery duplicated',
  'delivery delayed',
  'delivery reordered',
  'unknown enum value',
  'unknown event type',
  'malformed webhook',
  'malformed record',
  'forged webhook',
  'list changing between pages',
  'repeated cursor',
]);

/** Promise 7: no call fails when the token service is down for less than half the lifetime of a token. */
export function checkTokenFailure({ faults, longFailure }: SimulatedSystem, line: string): BrokenPromise | undefined {
  if (
    longFailure !== undefined ||
    !line.includes('TokenExpiredError') ||
    faults.kinds.some((kind) => !harmless.has(kind))
  )
    return undefined;
  return { promise: 7, what: 'A call fails because there is no valid token.' };
}

/** In milliseconds: the refresher looks ahead by one run, and can be slow to store a token. */
const lookahead = 5 * 60_000;
const maxRefreshMs = 60_000;

/** Promise 7: a token is only replaced when it was refused, or has less than half of its lifetime left before the next run. */
export const checkRefreshes: FinalCheck = (system) => {
  const { cloud, platform, tokenLifetime } = system;
  const versions = cloud.secretsManager.versions('platform-token');
  system.judged(7, versions.length - 1);
  const idle = versions.find(({ text }, index) => {
    const next = versions[index + 1];
    const issued = platform.tokens.get(JSON.parse(text).accessToken);
    const isRollback = versions.slice(0, index).some(({ id }) => id === next?.id);
    if (next === undefined || issued === undefined || isRollback) return false;
    const refusedAt = Math.min(
      issued.revokedAt ?? Number.POSITIVE_INFINITY,
      issued.refusedAt ?? Number.POSITIVE_INFINITY,
    );
    // From the view of the refresher, because a token that arrived slowly lives longer than assumed.
    const expiresAt = Math.min(issued.expiresAt, Date.parse(JSON.parse(text).expiresAt));
    const left = expiresAt - next.createdAt - lookahead - maxRefreshMs - toleranceOf(system);
    return refusedAt > next.createdAt && left >= (tokenLifetime * 1_000) / 2;
  });
  return idle && { promise: 7, what: 'A token was replaced that was not refused and had most of its lifetime left.' };
};
