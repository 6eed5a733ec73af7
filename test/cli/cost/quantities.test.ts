import { describe, expect, it } from 'vitest';
import { assumptions } from '#cli/cost/assumptions.ts';
import { costOf } from '#cli/cost/cost-lines.ts';
import { costColumns, costRows } from '#cli/cost/cost-table.ts';
import type { CountedUsage } from '#cli/cost/counted-usage.ts';
import { noUsage, quantitiesOf } from '#cli/cost/quantities.ts';
import type { Deployment } from '#cli/cost/read-deployment.ts';

const usage: CountedUsage = {
  countedBy: 'node tools/usage/main.ts --save',
  webhook: {
    ...noUsage,
    requests: { 'sqs SendMessage': 1 },
    writeUnits: 2,
    readUnits: 1.5,
    tableUses: 2,
    busEvents: 1,
    metrics: ['EventsStored'],
    storedBytes: { events: 1_000, entities: 100 },
    lists: { events: { writeUnits: 1, storedBytes: 500 }, entities: { writeUnits: 2, storedBytes: 50 } },
  },
  runs: { 'drain-runs': { ...noUsage, readUnits: 1, metrics: ['UndeliveredFound'] } },
};

const deployment: Deployment = {
  alarmMetrics: 3,
  compositeAlarms: 1,
  dashboards: 0,
  keys: 1,
  secrets: 2,
  tables: [{ name: 'events', isOnDemand: true, hasRecovery: true, indexes: 0 }],
  functions: [
    { name: 'receive', memoryGigabytes: 1, isTraced: true, logsEachRun: false },
    { name: 'store', memoryGigabytes: 0.5, isTraced: true, logsEachRun: true },
  ],
  queues: [{ isFifo: false }, { isFifo: false }],
  polledQueues: 1,
  schedules: [{ name: 'drain-runs', runsPerMonth: 100 }],
  accessLogBytes: 200,
  hasRouteMetrics: true,
  logRetentionDays: 30,
  archiveRetentionDays: 30,
  notPriced: {},
};

/** With changes of the deployment, and with what else the environment has. */
const quantities = (
  webhooks: number,
  changed: Partial<Deployment> = {},
  more: Partial<Parameters<typeof quantitiesOf>[0]> = {},
) =>
  quantitiesOf({
    deployment: { ...deployment, ...changed },
    usage,
    assumptions,
    eventRetentionDays: 365,
    webhooks,
    ...more,
  });

describe('quantitiesOf', () => {
  it('adds the time indexes that the environment keeps', () => {
    const withLists = (events: boolean, entities: boolean) => quantities(1_000, {}, { lists: { events, entities } });
    const { writeUnit, tableStorage } = quantities(1_000);
    expect(withLists(true, false).writeUnit - writeUnit).toBe(1_000);
    expect(withLists(false, true).writeUnit - writeUnit).toBe(2_000);
    expect(withLists(true, true).tableStorage / tableStorage).toBeCloseTo(1.5);
  });

  it('adds the webhooks to the scheduled runs', () => {
    expect(quantities(1_000)).toMatchObject({
      httpRequest: 1_000,
      invocation: 2_100,
      writeUnit: 2_000,
      readUnit: 1_600,
      busEvent: 1_000,
      scheduledRun: 100,
    });
  });

  it('takes no webhook into account while the environment is idle', () => {
    const idle = quantities(0);
    expect(idle).toMatchObject({ httpRequest: 0, invocation: 100, writeUnit: 0, readUnit: 100, metric: 1 });
    expect(idle).toMatchObject({ alarm: 3, compositeAlarm: 1, key: 1, secret: 2, tableStorage: 0 });
  });

  it('counts the polls of a queue without messages', () => {
    expect(quantities(0).queueRequest).toBe((5 * 730 * 3_600) / 20);
  });

  it('keeps an event for its retention, and an entity for a year', () => {
    const months = 365 / (730 / 24);
    expect(quantities(1_024 ** 3).tableStorage).toBeCloseTo(1_000 * months + 100 * 12, 6);
  });

  it('reads the entities that expect a report in an index, by half a read unit for 4 KB, in each run of reconcile', () => {
    const walks = { schedules: [{ name: 'reconcile-runs', runsPerMonth: 730 }] };
    const reads = (entities: number | undefined, webhooks = 0) => quantities(webhooks, walks, { entities }).entityRead;
    expect(reads(0)).toBe(0);
    expect(reads(1_000)).toBeCloseTo(730 * 10 * 0.5 * (150 / 4_096), 6);
    expect(reads(undefined, 1_000)).toBeCloseTo(reads(4_000), 6);
  });

  it('asks KMS no more often for a busy queue and table than a data key expires', () => {
    const perMonth = (730 * 3_600) / 300;
    const [busy, busier] = [quantities(1_000_000), quantities(100_000_000)];
    expect(busier.keyRequest).toBe(busy.keyRequest);
    expect(busy.keyRequest).toBe(5 * perMonth + 5 * perMonth);
  });

  it('records the first trace of each second, and one of twenty beyond', () => {
    const seconds = 730 * 3_600;
    expect(quantities(seconds * 21, { schedules: [] }).trace).toBeCloseTo(2 * (seconds + seconds), 3);
  });

  it('prices a FIFO queue by its own price', () => {
    const fifo = {
      queues: [{ isFifo: true }, { isFifo: true }],
      schedules: [{ name: 'token-refresh', runsPerMonth: 10 }],
    };
    expect(quantities(0, fifo)).toMatchObject({ queueRequest: 0, fifoRequest: (5 * 730 * 3_600) / 20 + 30 });
  });
});

describe('costOf', () => {
  it('multiplies each quantity by its price in the region, and shows the share of each line', () => {
    const { usd, lines } = costOf(quantities(1_000_000), 'eu-central-1');
    const of = (price: string) => lines.find((line) => line.price === price);
    expect(of('httpRequest')).toMatchObject({ quantity: 1_000_000, usd: 1.2 });
    expect(of('writeUnit')?.usd).toBeCloseTo(2 * 0.7625, 6);
    expect(lines.reduce((sum, line) => sum + line.usd, 0)).toBeCloseTo(usd, 9);
    expect(lines.reduce((sum, line) => sum + line.share, 0)).toBeCloseTo(1, 9);
  });
});

describe('costRows', () => {
  it('lists the dearest line of the last volume first, marks large shares, and ends with the total', () => {
    const columns = costColumns({
      deployment,
      usage,
      eventRetentionDays: 90,
      region: 'us-east-1',
      volumes: [0, 100_000_000],
    });
    const rows = costRows(columns);
    const amounts = columns[1]?.lines.map(({ usd }) => usd) ?? [];
    const dearest = columns[1]?.lines.find(({ usd }) => usd === Math.max(...amounts));
    expect(rows[0]?.[0]).toBe(dearest?.name);
    expect(rows[0]?.[2]).toMatch(/^\d+\.\d\d \(\d+ %\)$/);
    expect(rows.at(-1)?.[0]).toBe('Total');
    expect(rows.map(([name]) => name)).not.toContain('CloudWatch: dashboards');
  });
});
