import { type HistoryDeps, idleDeadlines, type Played, playHistory, startAt } from '#test/simulation/history.ts';
import { findUnfinishedOnboarding } from '#test/simulation/promises/onboardings.ts';
import type { BrokenPromise } from '#test/simulation/promises/promise.ts';
import { findUnfinished } from '#test/simulation/promises/unfinished-work.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import { type EnumeratedFault, writeFaults } from './enumerated-fault.ts';
import { createEnumeratedFaults, type EnumeratedFaults, type FaultPoint } from './enumerated-faults.ts';
import { type HistoryName, planSmallHistory } from './small-history.ts';

export type EnumeratedOptions = {
  /** Determines the order of all I/Os and the behaviour of the platform's list. */
  readonly seed: number;
  readonly name: HistoryName;
  readonly faults: readonly EnumeratedFault[];
};

export type EnumeratedHistory = Played & { readonly faultPoints: readonly FaultPoint[] };

/** An enumerated fault did not happen, so that the counts would be wrong. */
export class FaultNotReachedError extends Error {
  override readonly name = 'FaultNotReachedError';
}

const minute = 60_000;

/** In milliseconds: the history is idle after this time without a call and without remaining work. */
const quietTime = 30_000;

/**
 * Runs a small history with these faults and no others. The history ends when no work is left.
 *
 * @throws {FaultNotReachedError} when a fault did not happen and no promise was broken before
 */
export async function runEnumerated(
  { seed, name, faults: planned }: EnumeratedOptions,
  { app, trace = () => undefined }: HistoryDeps,
): Promise<EnumeratedHistory> {
  let now = () => startAt;
  const faults = createEnumeratedFaults(planned, {
    now: () => now(),
    trace: (who, what) => trace((now() - startAt) / 1_000, who, what),
  });
  const { plan, actions } = planSmallHistory(name);
  const play = (system: SimulatedSystem) => {
    ({ now } = system.scheduler);
    return playUntilIdle(system, faults, Math.max(...actions.map(({ at }) => at)));
  };
  const played = await playHistory({ seed, faults, plan, planActions: () => actions, play }, { app, trace });
  const missing = planned.filter((fault) => !faults.happened().includes(fault));
  if (missing.length > 0 && played.broken === undefined)
    throw new FaultNotReachedError(`${writeFaults(missing)} of ${writeFaults(planned)} did not happen.`);
  return { ...played, faultPoints: faults.faultPoints() };
}

/** Promise 9: all work finishes without an operator. */
async function playUntilIdle(
  system: SimulatedSystem,
  faults: EnumeratedFaults,
  lastActionAt: number,
): Promise<BrokenPromise | undefined> {
  const { scheduler, plan } = system;
  const maxIdleMs = plan.persons.length > 0 ? idleDeadlines.onboardings : idleDeadlines.usual;
  system.judged(9);
  await scheduler.run(startAt + lastActionAt);
  for (;;) {
    const { length: before } = faults.faultPoints();
    await scheduler.run(scheduler.now() + quietTime);
    if (scheduler.isStopped()) return undefined;
    if (faults.areOver() && scheduler.now() > faults.lastEffectAt() && system.faultsEndedAt() > scheduler.now())
      system.endFaults();
    const unfinished = findUnfinished(system) ?? findUnfinishedOnboarding(system);
    const isQuiet = faults.faultPoints().length === before && scheduler.now() > faults.lastEffectAt();
    if (unfinished === undefined && isQuiet) return undefined;
    if (scheduler.now() > Math.max(startAt, faults.lastEffectAt()) + maxIdleMs)
      return {
        promise: 9,
        what: `After ${maxIdleMs / minute} minutes without faults ${unfinished ?? 'there is still work'}.`,
      };
  }
}
