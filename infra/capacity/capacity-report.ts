import { createHash } from 'node:crypto';
import { type KeptLists, readCountedUsage } from '#infra/cost/counted-usage.ts';
import type { Region } from '#infra/cost/price-list.ts';
import { readDeployment } from '#infra/cost/read-deployment.ts';
import type { Settings } from '#infra/settings.ts';
import { durations } from './assumed-durations.ts';
import { type BurstCase, burstCases } from './burst/burst-cases.ts';
import { type BurstSecond, simulateBurst } from './burst/simulate-burst.ts';
import { type KeySpread, spreadKeys } from './key-spread.ts';
import { type Limit, webhookLimits } from './limits.ts';
import { type PersonsDay, personsDay } from './persons-day.ts';
import { usdPerWebhook } from './webhook-cost.ts';

export type CapacityProps = {
  readonly settings: Pick<Settings, 'webhookThrottle' | 'storeConcurrency' | 'reconciliation' | 'eventRetentionDays'>;
  readonly lists: KeptLists;
  readonly templates: readonly unknown[];
  readonly region: Region;
};

export type SimulatedCase = BurstCase & { readonly seconds: readonly BurstSecond[] };

export type CapacityReport = {
  readonly limits: readonly Limit[];
  readonly cases: readonly SimulatedCase[];
  readonly spreads: readonly KeySpread[];
  readonly persons: readonly { readonly callsPerSecond: number; readonly day: PersonsDay }[];
  /** US dollars for one more webhook, without storage. */
  readonly usdPerWebhook: number;
};

/** Webhooks a second for which the report has limits. */
export const rates = [100, 1_000, 10_000] as const;

const million = 1_000_000;

/** Partitions for which the spread of keys is shown. A table that takes 10,000 write units a second has 10 or more. */
const partitionCounts = [16, 64] as const;

/** What an environment can take, computed from its settings, the default quotas and assumed durations. */
export function reportCapacity({ settings, lists, templates, region }: CapacityProps): CapacityReport {
  const usage = readCountedUsage();
  const { eventRetentionDays, reconciliation } = settings;
  return {
    limits: webhookLimits({ usage, durations, region, settings, partitions: partitionCounts[0] }),
    cases: burstCases(settings, region).map((one) => ({ ...one, seconds: simulateBurst(one.model) })),
    spreads: partitionCounts.map((partitions) => spreadKeys(orderKeys(million), 10_000, partitions)),
    persons: [reconciliation.callsPerSecond, 20, 100].map((callsPerSecond) => {
      const pace = { ...reconciliation, callsPerSecond };
      return {
        callsPerSecond,
        day: personsDay({ persons: million, reconciliation: pace, pageMs: durations.drainPage }),
      };
    }),
    usdPerWebhook: usdPerWebhook({ deployment: readDeployment(templates), usage, eventRetentionDays, lists, region }),
  };
}

/** Partition keys of orders with random ids. */
function* orderKeys(count: number): Generator<string> {
  for (let order = 0; order < count; order += 1)
    yield `order#${createHash('sha256').update(String(order)).digest('hex').slice(0, 32)}`;
}
