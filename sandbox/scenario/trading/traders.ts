import type { Platform } from '#sandbox/platform/app/platform.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { canaries } from '#sandbox/scenario/common/canary.ts';
import type { Traders } from './trading-plan.ts';

const [canary] = canaries;

/** More cents than a scenario spends. */
const plentyCents = 10_000_000_000n;

/** Creates three persons: two ACTIVE ones and a SUSPENDED one. */
export function createTraders(platform: Platform): Traders {
  const traderOf = (status: 'ACTIVE' | 'SUSPENDED') =>
    makeReadyPerson(platform, { firstName: canary, lastName: canary }, status).naturalPersonId;
  const traders = { rich: traderOf('ACTIVE'), poor: traderOf('ACTIVE'), suspended: traderOf('SUSPENDED') };
  platform.accounts.set(traders.rich, { cash: plentyCents });
  return traders;
}
