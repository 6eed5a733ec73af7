import type { Faults } from '#test/simulation/faults/faults.ts';

/** In milliseconds: how far a clock is off, at the most. */
export const maxSkewMs = 20_000;

/** In milliseconds: how far two clocks may be apart in a history with these faults. */
export function apartOf(faults: Faults): number {
  return faults.isEnabled('clock skew') ? 2 * maxSkewMs : 0;
}
