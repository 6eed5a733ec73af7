import { assumptions } from '#cli/cost/assumptions.ts';
import { costColumns } from '#cli/cost/cost-table.ts';
import { readCountedUsage } from '#cli/cost/counted-usage.ts';
import type { Region } from '#cli/cost/price-list.ts';
import { type PricedResources, secondsPerMonth } from '#cli/cost/priced-resources.ts';
import { costSettings } from '#cli/cost/synthesize-app.ts';
import { drainInterval } from '#infra/retry-undelivered/drain.ts';
import type { Settings } from '#infra/settings.ts';
import { maxLanes, usualLanes } from '#shared/aws/list/lanes.ts';
import { reserveMs } from '#shared/lambda/handler.ts';
import { laneRate } from './lane-collisions.ts';
import { firstLimits, type Limit, webhookLimits } from './limits.ts';
import { maxUnitsPerPartition, partitionLoads } from './partition-load.ts';
import { personsDay, reconcileYear } from './reconcile-model.ts';

/** A table: its head, then its rows. Cells are Markdown. */
export type CapacityTable = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

export type CapacityProps = {
  readonly settings: Settings;
  readonly resources: PricedResources;
  readonly region: Region;
};

/** Webhooks a second for which the tables have limits. */
const rates = [10, 100, 1_000, 10_000] as const;

/** Partitions of a table that takes 10,000 write units a second: 10 or more. */
const partitions = 16;

/** Pages that a run has listed, or committed, and not saved when its time is over. The next run lists them again. */
const unsavedPages = 2;

const million = 1_000_000;

const whole = (value: number) => Math.ceil(value).toLocaleString('en-US');

/** What an environment can take, computed from its settings, the default quotas and assumed durations. */
export function capacityTables(props: CapacityProps) {
  const { settings } = props;
  const limits: readonly Limit[] = webhookLimits({
    usage: readCountedUsage(),
    region: props.region,
    settings,
    partitions,
  });
  return {
    first: firstTable(limits),
    cost: costTable(props),
    limits: limitsTable(limits),
    partitions: partitionsTable(),
    outage: outageTable(),
    lanes: lanesTable(),
    persons: personsTable(settings.reconciliation),
    reconcileYear: yearTable(settings.reconciliation),
  };
}

/** What breaks first at each rate, and what to raise: said once for each limit. */
function firstTable(limits: readonly Limit[]): CapacityTable {
  const explained = new Set<Limit>();
  const rowOf = (rate: number, limit: Limit, index: number) => {
    const { name, arithmetic, need, has, above, raise } = limit;
    const isExceeded = need(rate) > has;
    const isNew = isExceeded && !explained.has(limit);
    if (isNew) explained.add(limit);
    return [
      index === 0 ? whole(rate) : '',
      isExceeded ? name : `nothing (nearest: ${name})`,
      `${arithmetic} = ${whole(need(rate))}`,
      whole(has),
      ...(isNew ? [above, raise] : ['', '']),
    ];
  };
  return {
    head: ['R: webhooks a second', 'Breaks first', 'Needs', 'There is', 'Then', 'Set'],
    rows: rates.flatMap((rate) => firstLimits(limits, rate).map((limit, index) => rowOf(rate, limit, index))),
  };
}

/** What a month of each rate costs, as it is and with batches that wait for webhooks. */
function costTable({ settings, resources, region }: CapacityProps): CapacityTable {
  const props = { ...costSettings(settings), usage: readCountedUsage(), region };
  const columnOf = (rate: number, batchingSeconds: number) =>
    costColumns({ ...props, resources: { ...resources, batchingSeconds } }, [rate * secondsPerMonth])[0];
  return {
    head: [
      'Webhooks a second',
      'Millions a month',
      'USD a month',
      'USD for a million',
      'USD a month with `storeBatchingSeconds` 5',
      'Read-backs included',
    ],
    rows: rates.flatMap((rate) => {
      const millions = (rate * secondsPerMonth) / million;
      const [now, batched] = [columnOf(rate, resources.batchingSeconds), columnOf(rate, 5)];
      if (now === undefined || batched === undefined) return [];
      return [
        [
          ...[rate, millions, now.usd].map(whole),
          (now.usd / millions).toFixed(2),
          whole(batched.usd),
          `${Math.round((100 * now.readBacks) / now.dueReadBacks)}%`,
        ],
      ];
    }),
  };
}

/** What each rate needs of each limit. Needs above the limit are marked. */
function limitsTable(limits: readonly Limit[]): CapacityTable {
  const cell = ({ need, has }: Limit, rate: number) =>
    need(rate) > has ? `**${whole(need(rate))}**` : whole(need(rate));
  return {
    head: ['Limit', 'Arithmetic', 'There is', ...rates.map((rate) => `R = ${whole(rate)}`)],
    rows: limits.map((limit) => [
      limit.name,
      limit.arithmetic,
      whole(limit.has),
      ...rates.map((rate) => cell(limit, rate)),
    ]),
  };
}

/** How a second of webhooks of one type spreads over the partition keys of each index. */
function partitionsTable(): CapacityTable {
  const webhooks = 10_000;
  return {
    head: ['Load in one second', 'Index', 'Partition keys', 'Write units', 'Most of one key', 'There is'],
    rows: partitionLoads(webhooks).map(({ load, index, units, most, ...of }) => [
      load,
      `\`${index}\``,
      ...[of.keys, units, most, maxUnitsPerPartition].map(whole),
    ]),
  };
}

/** The webhooks a second that a list takes, by the setting `listLanes` and the partitions over which DynamoDB places the lanes. */
function lanesTable(): CapacityTable {
  const placements = [4, 16, 32, 64];
  return {
    head: ['`listLanes`', ...placements.map((count) => `${count} partitions`), 'A partition for each lane'],
    rows: [usualLanes, 32, 64, maxLanes].map((lanes) => [
      String(lanes),
      ...placements.map((count) => whole(laneRate({ lanes, partitions: count }))),
      whole(lanes * maxUnitsPerPartition),
    ]),
  };
}

/** How fast the webhooks of an outage are stored. */
function outageTable(): CapacityTable {
  const rate = 100;
  const minutes = (stored: number) => whole((rate * 60) / stored);
  return {
    head: [
      '`platformProfile.pageSize`',
      'The list gives a second',
      '`drain` stores a second',
      `Minutes for each hour of ${rate} a second`,
    ],
    rows: [20, 50, 100].map((pageSize) => {
      const { listed, stored } = drainPace(pageSize);
      return [...[pageSize, listed, stored].map(whole), minutes(stored)];
    }),
  };
}

/** How long a million persons take to be read back. */
function personsTable(reconciliation: CapacityProps['settings']['reconciliation']): CapacityTable {
  return {
    head: ['`reconciliation.callsPerSecond`', 'Persons in a run', 'Runs', 'Hours'],
    rows: [reconciliation.callsPerSecond, 20, 100].map((callsPerSecond) => {
      const { inRun, runs, hours } = personsDay(million, { ...reconciliation, callsPerSecond });
      return [callsPerSecond, inRun, runs, hours].map(whole);
    }),
  };
}

/** What a year of webhooks leaves to reconcile, with the rate of the settings and with a higher one. */
function yearTable(reconciliation: CapacityProps['settings']['reconciliation']): CapacityTable {
  const { staleAfterHours } = reconciliation;
  const before = (hours: number) => {
    if (hours <= 24) return `${whole(hours)} hours`;
    return hours <= staleAfterHours ? `**${whole(hours)} hours**` : `**${whole(hours)} hours: nothing is repaired**`;
  };
  return {
    head: [
      'Calls a second',
      'Day',
      'Entities',
      '0.2.0: a walk',
      'Due a day',
      'Calls a day for it',
      'Minutes of a run',
      'Hours until asked',
      'Hours of the list of persons',
    ],
    rows: [reconciliation.callsPerSecond, 20].flatMap((callsPerSecond) =>
      reconcileYear({
        webhooksPerSecond: 100,
        reconciliation: { ...reconciliation, callsPerSecond },
        days: [1, 30, 90, 180, 365],
      }).map(({ day, entities, walkHours, dueADay, callsADay, dueMinutes, waitHours, personsHours }) => [
        ...[callsPerSecond, day, entities].map(whole),
        before(walkHours),
        dueADay > callsADay ? `**${whole(dueADay)}**` : whole(dueADay),
        ...[callsADay, dueMinutes].map(whole),
        waitHours > staleAfterHours ? `**${whole(waitHours)}**` : whole(waitHours),
        whole(personsHours),
      ]),
    ),
  };
}

/** Undelivered webhooks a second: what the platform's list gives, page after page, and what the runs of `drain` store of that. */
function drainPace(pageSize: number): { readonly listed: number; readonly stored: number } {
  const interval = drainInterval.toMilliseconds();
  const page = assumptions.pageMs.value;
  const pages = (interval - reserveMs - assumptions.drainStartMs.value) / page - unsavedPages;
  return { listed: (pageSize * 1_000) / page, stored: Math.floor((pages * pageSize * 1_000) / interval) };
}
