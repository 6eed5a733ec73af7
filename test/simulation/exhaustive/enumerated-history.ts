import { type HistoryDeps, type Played, playHistory, restingTimes, startAt } from '#test/simulation/history.ts';
import { findOnboardingUnrest } from '#test/simulation/promises/onboardings.ts';
import type { Broken } from '#test/simulation/promises/promise.ts';
import { findUnrest } from '#test/simulation/promises/rest.ts';
import type { World } from '#test/simulation/world/world.ts';
import { type EnumeratedFault, writeFaults } from './enumerated-fault.ts';
import { createEnumeratedFaults, type EnumeratedFaults, type Occasion } from './enumerated-faults.ts';
import { type HistoryName, planSmallHistory } from './small-history.ts';

export type EnumeratedOptions = {
  /** Of the order of all I/Os, and of what the platform's list is like. */
  readonly seed: number;
  readonly name: HistoryName;
  readonly faults: readonly EnumeratedFault[];
};

export type EnumeratedHistory = Played & { readonly occasions: readonly Occasion[] };

/** A fault was enumerated, and did not happen: what is counted would not be what was tried. */
export class FaultNotReachedError extends Error {
  override readonly name = 'FaultNotReachedError';
}

const minute = 60_000;

/** In milliseconds: everything is at rest once nobody has made a call for so long, and nothing is left to be done. */
const quietTime = 30_000;

/**
 * A small history with these faults and no others. It ends as soon as everything is at rest.
 *
 * @throws {FaultNotReachedError} where one of the faults did not happen, and no promise was broken before
 */
export async function runEnumerated(
  { seed, name, faults: planned }: EnumeratedOptions,
  { app, tell = () => undefined }: HistoryDeps,
): Promise<EnumeratedHistory> {
  let now = () => startAt;
  const faults = createEnumeratedFaults(planned, {
    now: () => now(),
    tell: (who, what) => tell((now() - startAt) / 1_000, who, what),
  });
  const { plan, deeds } = planSmallHistory(name);
  const play = (world: World) => {
    ({ now } = world.scheduler);
    return playToRest(world, faults, Math.max(...deeds.map(({ at }) => at)));
  };
  const played = await playHistory({ seed, faults, plan, planDeeds: () => deeds, play }, { app, tell });
  const missing = planned.filter((fault) => !faults.happened().includes(fault));
  if (missing.length > 0 && played.broken === undefined)
    throw new FaultNotReachedError(`${writeFaults(missing)} of ${writeFaults(planned)} did not happen.`);
  return { ...played, occasions: faults.occasions() };
}

/** Promise 9: it comes to rest, of itself. */
async function playToRest(world: World, faults: EnumeratedFaults, lastDeedAt: number): Promise<Broken | undefined> {
  const { scheduler, plan } = world;
  const longest = plan.persons.length > 0 ? restingTimes.onboardings : restingTimes.usual;
  await scheduler.run(startAt + lastDeedAt);
  for (;;) {
    const { length: before } = faults.occasions();
    await scheduler.run(scheduler.now() + quietTime);
    if (scheduler.isStopped()) return undefined;
    if (faults.areOver() && scheduler.now() > faults.lastEffectAt() && world.faultsEndedAt() > scheduler.now())
      world.endFaults();
    const unrest = findUnrest(world) ?? findOnboardingUnrest(world);
    const isQuiet = faults.occasions().length === before && scheduler.now() > faults.lastEffectAt();
    if (unrest === undefined && isQuiet) return undefined;
    if (scheduler.now() > Math.max(startAt, faults.lastEffectAt()) + longest)
      return { promise: 9, what: `After ${longest / minute} quiet minutes ${unrest ?? 'there is still work'}.` };
  }
}
