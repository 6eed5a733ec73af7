import { isStoppedByPastFailure, requested } from '#test/simulation/promises/onboardings.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';

/** In milliseconds: how often an operator looks for onboardings that have stopped. */
const pause = 20 * 60_000;

/** Again and again, an operator retries the onboardings that stopped by what has passed. */
export function retryStopped(system: SimulatedSystem): void {
  for (const planned of requested(system))
    if (isStoppedByPastFailure(system, planned)) void system.partner.retry(planned.request.externalId);
  system.scheduler.after(pause, () => retryStopped(system));
}
