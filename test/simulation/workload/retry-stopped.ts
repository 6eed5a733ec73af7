import { isStoppedByPastFailure, requested } from '#test/simulation/promises/onboardings.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';

/** In milliseconds: how often an operator checks for stopped onboardings. */
const pause = 20 * 60_000;

/** Retries, at intervals, the onboardings that a past failure stopped, as an operator does. */
export function retryStopped(system: SimulatedSystem): void {
  for (const planned of requested(system))
    if (isStoppedByPastFailure(system, planned)) void system.partner.retry(planned.request.externalId);
  system.scheduler.after(pause, () => retryStopped(system));
}
