import type { Faults } from '#test/simulation/faults/faults.ts';

/** In milliseconds: the maximum skew of a clock. */
export const maxSkewMs = 20_000;

/** In milliseconds: the maximum difference between two clocks in a history with these faults. */
export function apartOf(faults: Faults): number {
  return faults.isEnabled('clock skew') ? 2 * maxSkewMs : 0;
}
