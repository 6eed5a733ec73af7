import type { FaultKind } from '#test/simulation/faults/fault-kinds.ts';
import type { SimulatedProcess } from '#test/simulation/scheduler/process.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import { apartOf } from '#test/simulation/system/skew.ts';
import type { BrokenPromise, FinalCheck } from './promise.ts';

/** In milliseconds: how much later than it should something may be seen to be done, since clocks may be off. */
const toleranceOf = ({ faults }: SimulatedSystem) => apartOf(faults);

/** Promise 7: no call goes out with an expired token. */
export function checkToken(
  system: SimulatedSystem,
  process: SimulatedProcess,
  token: string,
): BrokenPromise | undefined {
  const issued = system.platform.tokens.get(token);
  if (issued === undefined) return { promise: 7, what: `${process.name} calls with what never was a token.` };
  const left = issued.expiresAt - system.scheduler.now();
  if (left + toleranceOf(system) <= 0) return { promise: 7, what: `${process.name} calls with an expired token.` };
  if (left + toleranceOf(system) >= minTokenLifetimeMs || !isReplaced(system, token)) return undefined;
  return { promise: 7, what: `${process.name} calls with a token that expires on the way, and has been replaced.` };
}

/** In milliseconds: how much of its life a cached token must have left, since a call takes its time. */
const minTokenLifetimeMs = 50_000;

/** In milliseconds: whoever reads a secret may be given the one before for so long. */
const staleness = 15_000;

/** Whether another token has been stored for a while. */
function isReplaced({ cloud, scheduler }: SimulatedSystem, token: string): boolean {
  const stored = cloud.secretsManager.versions('platform-token').at(-1);
  return stored !== undefined && !stored.text.includes(token) && scheduler.now() - stored.createdAt > staleness;
}

/** Kinds of faults that do not keep the refresher from its work, but for a time that promise 7 allows. */
const harmless: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'token service down',
  'cold start',
  'endpoint down',
  'gateway throttling',
  'answer to a delivery lost',
  'delivery duplicated',
  'delivery delayed',
  'delivery reordered',
  'unknown enum word',
  'unknown event type',
  'malformed webhook',
  'malformed record',
  'forged webhook',
  'list changing between pages',
  'repeated cursor',
]);

/** Promise 7: a token service that is down for less than half the life of a token fails no call. */
export function checkTokenFailure({ faults }: SimulatedSystem, line: string): BrokenPromise | undefined {
  if (!line.includes('TokenExpiredError') || faults.kinds.some((kind) => !harmless.has(kind))) return undefined;
  return { promise: 7, what: 'A call fails because there is no valid token.' };
}

/** In milliseconds: the refresher looks ahead by one run, and may be slow to store what it has. */
const lookahead = 5 * 60_000;
const maxRefreshMs = 60_000;

/** Promise 7: a token is replaced where it was refused, or had less than half of its life left before the next run. */
export const checkRefreshes: FinalCheck = (system) => {
  const { cloud, platform, tokenLifetime } = system;
  const versions = cloud.secretsManager.versions('platform-token');
  const idle = versions.find(({ text }, index) => {
    const next = versions[index + 1];
    const issued = platform.tokens.get(JSON.parse(text).accessToken);
    if (next === undefined || issued === undefined) return false;
    const refusedAt = Math.min(
      issued.revokedAt ?? Number.POSITIVE_INFINITY,
      issued.refusedAt ?? Number.POSITIVE_INFINITY,
    );
    // As the refresher has it: a token that was slow to come may live longer than it is thought to.
    const expiresAt = Math.min(issued.expiresAt, Date.parse(JSON.parse(text).expiresAt));
    const left = expiresAt - next.createdAt - lookahead - maxRefreshMs - toleranceOf(system);
    return refusedAt > next.createdAt && left >= (tokenLifetime * 1_000) / 2;
  });
  return idle && { promise: 7, what: 'A token was replaced that nobody refused, and that had most of its life left.' };
};
