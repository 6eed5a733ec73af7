import { assumptions } from '#cli/cost/assumptions.ts';
import type { CountedUsage } from '#cli/cost/counted-usage.ts';
import type { Region } from '#cli/cost/price-list.ts';
import { checkConcurrency } from '#functions/retry-undelivered/reconcile/detect-drift.ts';
import type { Settings } from '#infra/settings.ts';
import { maxLanes } from '#shared/aws/list/lanes.ts';
import { entityShards } from '#shared/entities/entity-row.ts';
import { laneRate } from './lane-collisions.ts';
import { quotas } from './quotas.ts';
import { callsBesideLists, reconcileYear } from './reconcile-model.ts';

/** Webhooks in a batch of `store` at most. */
const batchSize = 10;

/** The most that the setting `reconciliation.callsPerSecond` takes. */
export const maxCallsPerSecond = 100;

/** In milliseconds: within this the platform must answer so many calls. */
export const fastestAnswerMs = (1_000 * checkConcurrency) / maxCallsPerSecond;

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
  readonly settings: Pick<
    Settings,
    'webhookThrottle' | 'storeConcurrency' | 'reconciliation' | 'listEvents' | 'listEntities' | 'listLanes'
  >;
  /** Partitions of a table, or of an index, over which its keys spread. */
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
  const { busEvents, writeUnits, eventWriteUnits, dueWriteUnits } = usage.webhook;
  const tables = { events: eventWriteUnits, entities: round(writeUnits - eventWriteUnits - dueWriteUnits) };
  // The events have two such indexes, each with a write unit for a webhook.
  const listUnits = Math.max(
    settings.listEvents ? 1 : 0,
    settings.listEntities ? usage.webhook.lists.entities.writeUnits : 0,
  );
  const newPartitions = quota('tableWrites') / quota('partitionWrites');
  const { reconciliation } = settings;
  const readBacks = readBacksAfterYear(reconciliation);
  const fastest = readBacksAfterYear({ ...reconciliation, callsPerSecond: maxCallsPerSecond });
  const bearable = Math.floor(fastest.callsADay / fastest.perWebhookASecond).toLocaleString('en-US');
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
    ...Object.entries(tables).flatMap(([table, units]) => [
      {
        name: `${quotas.tableWrites.name}: ${table}`,
        arithmetic: `R × ${units}`,
        need: (rate: number) => rate * units,
        has: quota('tableWrites'),
        above: 'DynamoDB throttles writes. Batches take longer, and the queue grows.',
        raise: 'nothing for a load that doubles within 30 minutes; for a known day, the warm throughput of the table',
      },
      {
        name: `${quotas.partitionWrites.name}, of ${partitions}: ${table}`,
        arithmetic: `R × ${units} ÷ ${partitions}`,
        need: (rate: number) => (rate * units) / partitions,
        has: quota('partitionWrites'),
        above: 'DynamoDB throttles writes to the partition, and splits the partition.',
        raise: 'nothing: DynamoDB adds partitions',
      },
    ]),
    ...[newPartitions, partitions].map((count) => ({
      name: `DynamoDB: write units a second of the index \`entities.due\`, ${entityShards.length} keys in ${count} partitions`,
      arithmetic: `R × ${dueWriteUnits}`,
      need: (rate: number) => rate * dueWriteUnits,
      has: laneRate({ lanes: entityShards.length, partitions: count }),
      above: 'DynamoDB throttles the writes of `store` with those of the index. The queue grows.',
      raise: 'no setting: DynamoDB splits a busy partition; for a known day, the warm throughput of the index',
    })),
    ...(listUnits > 0 ? [newPartitions, partitions] : []).map((count) => ({
      name: `DynamoDB: write units a second of the index of a list, with all of one type or status, ${settings.listLanes} lanes in ${count} partitions`,
      arithmetic: `R × ${listUnits}`,
      need: (rate: number) => rate * listUnits,
      has: laneRate({ lanes: settings.listLanes, partitions: count }),
      above: 'DynamoDB throttles the writes of `store` with those of the index. The queue grows.',
      raise: `the setting \`listLanes\`, up to ${maxLanes}; DynamoDB splits a busy partition`,
    })),
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
    {
      name: 'Setting `reconciliation.callsPerSecond`: read-backs a day beside the lists, after a year',
      arithmetic: `R × ${round(readBacks.perWebhookASecond)}`,
      need: (rate) => rate * readBacks.perWebhookASecond,
      has: readBacks.callsADay,
      above: 'What is due waits longer from day to day, and `ReconcileSilent` goes off.',
      raise: `the setting, at most ${maxCallsPerSecond}, for R = ${bearable} if the platform answers within ${fastestAnswerMs} ms; beyond that, \`reconciliation.readBackAfterHours\` for fewer read-backs`,
    },
  ];
}

/** The limits that a rate exceeds, the one that breaks first at the beginning; the nearest one if it exceeds none. */
export function firstLimits(limits: readonly Limit[], webhooksPerSecond: number): readonly Limit[] {
  const used = ({ need, has }: Limit) => need(webhooksPerSecond) / has;
  const nearestFirst = limits.toSorted((one, other) => used(other) - used(one));
  const exceeded = nearestFirst.filter((limit) => used(limit) > 1);
  return exceeded.length > 0 ? exceeded : nearestFirst.slice(0, 1);
}

/** What the model of a year has on its last day: what is due grows with the rate of webhooks. */
function readBacksAfterYear(reconciliation: Settings['reconciliation']) {
  const [day] = reconcileYear({ webhooksPerSecond: 1, reconciliation, days: [365] });
  return { perWebhookASecond: day?.dueADay ?? Number.NaN, callsADay: callsBesideLists(reconciliation) };
}

/** Without the error of a difference of decimals. */
function round(units: number): number {
  return Math.round(units * 100) / 100;
}
