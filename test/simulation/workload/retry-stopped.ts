import { isStoppedInVain, requested } from '#test/simulation/promises/onboardings.ts';
import type { World } from '#test/simulation/world/world.ts';

/** In milliseconds: how often an operator looks for onboardings that have stopped. */
const pause = 20 * 60_000;

/** Again and again, an operator retries the onboardings that stopped by what has passed. */
export function retryStopped(world: World): void {
  for (const planned of requested(world))
    if (isStoppedInVain(world, planned)) void world.partner.retry(planned.request.externalId);
  world.scheduler.after(pause, () => retryStopped(world));
}
