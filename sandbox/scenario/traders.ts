import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import type { Platform } from '#sandbox/platform/platform.ts';
import { canaries } from './canary.ts';
import type { Traders } from './trading-plan.ts';

const [canary] = canaries;

/** In cents: more than a scenario spends. */
const plenty = 10_000_000_000n;

/** Three persons that are there at once: two ACTIVE ones, and one that is SUSPENDED. */
export function createTraders(platform: Platform): Traders {
  const traderOf = (status: 'ACTIVE' | 'SUSPENDED') =>
    makeReadyPerson(platform, { firstName: canary, lastName: canary }, status).naturalPersonId;
  const traders = { rich: traderOf('ACTIVE'), poor: traderOf('ACTIVE'), suspended: traderOf('SUSPENDED') };
  platform.accounts.set(traders.rich, { cash: plenty });
  return traders;
}
