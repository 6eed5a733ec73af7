import { assumptions } from '#cli/cost/assumptions.ts';
import type { CountedUsage } from '#cli/cost/counted-usage.ts';
import type { Region } from '#cli/cost/price-list.ts';
import { quotas } from './quotas.ts';

/** Webhooks in a batch of `store` at most. */
const batchSize = 10;

/** What limits a rate of webhooks. */
export type Limit = {
  readonly name: string;
  /** The calculation of `need`, for a rate R. */
  readonly arithmetic: string;
  /** What a rate of webhooks a second needs of it. */
  readonly need: (webhooksPerSecond: number) => number;
  /** What there is, by the default settings and quotas. */
  readonly has: number;
  /** What happens above the limit. */
  readonly above: string;
  readonly raise: string;
};

export type LimitProps = {
  readonly usage: CountedUsage;
  readonly region: Region;
  readonly settings: { readonly webhookThrottle: { readonly rate: number }; readonly storeConcurrency: number };
  /** Partitions of a table, over which its keys spread. */
  readonly partitions: number;
};

/** Each limit that webhooks meet, with full batches and `receive` warm. */
export function webhookLimits({ usage, region, settings, partitions }: LimitProps): readonly Limit[] {
  const quota = (name: keyof typeof quotas) => quotas[name].values[region][0];
  const { receiveMs, storeMs, storeMoreMs } = assumptions;
  const batchMs = storeMs.value + (batchSize - 1) * storeMoreMs.value;
  const receives = (rate: number) => (rate * receiveMs.value) / 1_000;
  const batches = (rate: number) => ((rate / batchSize) * batchMs) / 1_000;
  const batchText = `R ÷ ${batchSize} × ${batchMs} ms`;
  const writes = usage.webhook.writeUnits / usage.webhook.tableUses;
  const { busEvents } = usage.webhook;
  const answered429 = 'The platform gets 429, and `drain` stores the webhook later.';
  return [
    {
      name: 'Setting `webhookThrottle.rate`: requests a second',
      arithmetic: 'R',
      need: (rate) => rate,
      has: settings.webhookThrottle.rate,
      above: answered429,
      raise: 'the setting, up to the quota of the account',
    },
    {
      name: quotas.apiRequests.name,
      arithmetic: 'R',
      need: (rate) => rate,
      has: quota('apiRequests'),
      above: answered429,
      raise: 'the quota, in Service Quotas',
    },
    {
      name: 'Setting `storeConcurrency`: batches',
      arithmetic: batchText,
      need: batches,
      has: settings.storeConcurrency,
      above: 'The queue grows. Nothing is refused.',
      raise: 'the setting, at most 1,000',
    },
    {
      name: quotas.executions.name,
      arithmetic: `R × ${receiveMs.value} ms + ${batchText}`,
      need: (rate) => receives(rate) + batches(rate),
      has: quota('executions'),
      above: 'The platform gets 503, and `drain` stores the webhook later. Batches wait in the queue.',
      raise: 'the quota, and `receiveConcurrency`, so that no other function takes what `receive` needs',
    },
    {
      name: `${quotas.tableWrites.name} (events, entities)`,
      arithmetic: `R × ${writes}`,
      need: (rate) => rate * writes,
      has: quota('tableWrites'),
      above: 'DynamoDB throttles writes. Batches take longer, and the queue grows.',
      raise: 'nothing for a load that doubles within 30 minutes; for a known day, the warm throughput of both tables',
    },
    {
      name: `${quotas.partitionWrites.name}, of ${partitions}`,
      arithmetic: `R × ${writes} ÷ ${partitions}`,
      need: (rate) => (rate * writes) / partitions,
      has: quota('partitionWrites'),
      above: 'DynamoDB throttles writes to the partition, and splits the partition.',
      raise: 'nothing: DynamoDB adds partitions',
    },
    {
      name: quotas.putEvents.name,
      arithmetic: `R × ${busEvents} ÷ ${batchSize}`,
      need: (rate) => (rate * busEvents) / batchSize,
      has: quota('putEvents'),
      above: 'EventBridge throttles. Batches take longer, and the queue grows.',
      raise: 'the quota, in Service Quotas',
    },
    {
      name: `${quotas.invocations.name}, with one subscriber`,
      arithmetic: `R × ${busEvents}`,
      need: (rate) => rate * busEvents,
      has: quota('invocations'),
      above: 'EventBridge delivers to subscribers later. No event is lost for 24 hours.',
      raise: 'the quota; each further subscriber needs as much again',
    },
  ];
}

/** The limits that a rate exceeds, the one that breaks first at the beginning; the nearest one where it exceeds none. */
export function firstLimits(limits: readonly Limit[], webhooksPerSecond: number): readonly Limit[] {
  const used = ({ need, has }: Limit) => need(webhooksPerSecond) / has;
  const nearestFirst = limits.toSorted((one, other) => used(other) - used(one));
  const exceeded = nearestFirst.filter((limit) => used(limit) > 1);
  return exceeded.length > 0 ? exceeded : nearestFirst.slice(0, 1);
}
