import { describe, expect, it } from 'vitest';
import { costColumns, costRows, describeCapped, perMillionWebhooks } from '#cli/cost/cost-table.ts';
import type { CountedUsage } from '#cli/cost/counted-usage.ts';
import type { PricedResources } from '#cli/cost/priced-resources.ts';
import { noUsage, type QuantitiesProps, quantitiesOf } from '#cli/cost/quantities.ts';

const { busBytes: _, ...nothing } = noUsage;
const usage: CountedUsage = {
  countedBy: 'node tools/usage/main.ts --save',
  webhook: {
    ...noUsage,
    requests: { 'sqs SendMessage': 1, 'dynamodb PutItem': 2 },
    writeUnits: 2,
    eventWriteUnits: 1,
    dueWriteUnits: 0,
    readUnits: 1.5,
    tableUses: 2,
    busEvents: 1,
    metrics: ['EventsStored'],
    storedBytes: { events: 1_000, entities: 100 },
    lists: { events: { writeUnits: 1, storedBytes: 500 }, entities: { writeUnits: 2, storedBytes: 50 } },
  },
  peers: { ...nothing, requests: { 'sqs SendMessage': 1 }, writeUnits: 2, eventWriteUnits: 1, logBytes: 500 },
  runs: {
    'drain-runs': { ...noUsage, readUnits: 1, metrics: ['UndeliveredFound'] },
    'gauge-runs': { ...noUsage, metrics: ['EventsNowQuarantined'] },
  },
  reconcile: { readBack: { readUnits: 2, writeUnits: 3 }, person: { readUnits: 1 } },
};

const resources: PricedResources = {
  alarmMetrics: 3,
  compositeAlarms: 1,
  dashboards: 1,
  keys: 1,
  secrets: 2,
  hasRecovery: true,
  areEventsRare: false,
  functions: [
    { name: 'receive', gigabytes: 1, isTraced: false, logsEachRun: false },
    { name: 'store', gigabytes: 0.5, isTraced: false, logsEachRun: false },
    { name: 'reconcile', gigabytes: 1, isTraced: false, logsEachRun: true },
  ],
  polledQueues: 1,
  fifoQueues: 0,
  batchingSeconds: 0,
  schedules: [
    { name: 'drain-runs', runsPerMonth: 100 },
    { name: 'gauge-runs', runsPerMonth: 100 },
  ],
  accessLogBytes: 200,
  isAccessLogRare: false,
  hasRouteMetrics: false,
  logRetentionDays: 30,
  archiveRetentionDays: 30,
  notPriced: {},
};

const props = {
  resources,
  usage,
  eventRetentionDays: 365,
  callsPerSecond: 5,
  listEveryHours: 24,
  readBackAfterHours: 6,
  lists: { events: false, entities: false },
};

/** With changes of the deployment, and with what else the environment has. */
const quantities = (webhooks: number, changed: Partial<PricedResources> = {}, more: Partial<QuantitiesProps> = {}) =>
  quantitiesOf({ ...props, ...more, resources: { ...resources, ...changed }, webhooks });

const secondsPerMonth = 730 * 3_600;

describe('quantitiesOf', () => {
  it('adds the webhooks to the scheduled runs', () => {
    expect(quantities(1_000)).toMatchObject({
      httpRequest: 1_000,
      invocation: 2_200,
      writeUnit: 2_000,
      readUnit: 1_600,
      busEvent: 1_000,
      run: 200,
    });
  });

  it('takes no webhook into account while the environment is idle', () => {
    const idle = quantities(0);
    expect(idle).toMatchObject({ httpRequest: 0, invocation: 200, writeUnit: 0, readUnit: 100, gauge: 1, metric: 1 });
    expect(idle).toMatchObject({ alarm: 3, compositeAlarm: 1, key: 1, secret: 2, storage: 0 });
  });

  it('counts the polls of a queue without messages, and those of a FIFO queue by their own price', () => {
    const polls = (5 * secondsPerMonth) / 20;
    expect(quantities(0).queueRequest).toBe(polls);
    const fifo = { fifoQueues: 1, schedules: [{ name: 'token-refresh', runsPerMonth: 10 }] };
    expect(quantities(0, fifo)).toMatchObject({ queueRequest: 0, fifoRequest: polls + 30 });
  });

  it('keeps an event for its retention, and an entity for a year', () => {
    expect(quantities(1_024 ** 3).storage).toBeCloseTo(1_000 * (365 / (730 / 24)) + 100 * 12, 6);
  });

  it('adds the time indexes that the environment keeps', () => {
    const withLists = (events: boolean, entities: boolean) => quantities(1_000, {}, { lists: { events, entities } });
    const { writeUnit, storage } = quantities(1_000);
    expect(withLists(true, false).writeUnit - writeUnit).toBe(1_000);
    expect(withLists(false, true).writeUnit - writeUnit).toBe(2_000);
    expect(withLists(true, true).storage / storage).toBeCloseTo(1.5);
  });

  it('shares an invocation of store among the webhooks that come to a poller within the batching window, up to 10', () => {
    const oneASecond = secondsPerMonth;
    const batches = (batchingSeconds: number) =>
      quantities(oneASecond, { batchingSeconds, schedules: [] }).invocation - oneASecond;
    expect(batches(0)).toBe(oneASecond);
    expect(batches(5)).toBe(oneASecond / 2);
    expect(quantities(oneASecond * 100, { batchingSeconds: 5, schedules: [] }).invocation).toBe(oneASecond * 110);
  });

  it('has reconcile read what is due, and all persons once a day, and write a checkpoint each 10 seconds', () => {
    const runs = { schedules: [{ name: 'reconcile-runs', runsPerMonth: 730 }] };
    const of = (entities: number) => quantities(0, runs, { entities });
    expect(of(0)).toMatchObject({ reconcileRead: 0, reconcileWrite: 0, reconcileTime: 730 });
    // 6,000 persons in 300 pages; of 100,000 new entities 450 are read back four times, and 6 persons a day; 12,000 open entities of 150 bytes.
    const readBacks = 450 * 4 + (6 * 730) / 24;
    const { reconcileRead, reconcileTime, reconcileWrite } = of(1_200_000);
    const lists = 730 / 24;
    expect(reconcileRead).toBeCloseTo(lists * 6_000 * 2 + readBacks * 2 + (730 * 12_000 * 0.5 * 150) / 4_096, 6);
    expect(reconcileTime).toBeCloseTo(730 + lists * 60 + readBacks / 5, 6);
    expect(reconcileWrite).toBeCloseTo(readBacks * 3 + ((reconcileTime - 730) / 10) * 6, 6);
    expect(
      of(1_200_000).reconcileTime - quantities(0, runs, { entities: 1_200_000, listEveryHours: 48 }).reconcileTime,
    ).toBeCloseTo((lists / 2) * 60, 6);
    expect(of(10 ** 12).reconcileTime).toBeCloseTo(730 + 730 * 840, 6);
  });
});

describe('costColumns', () => {
  it('multiplies each quantity by its price in the region', () => {
    const [column] = costColumns({ ...props, region: 'eu-central-1' }, [1_000_000]);
    const of = (price: string) => column?.lines.find((line) => line.price === price);
    expect(of('httpRequest')).toMatchObject({ quantity: 1_000_000, usd: 1.2 });
    expect(of('writeUnit')?.usd).toBeCloseTo(2 * 0.7625, 6);
    expect(column?.lines.reduce((sum, line) => sum + line.usd, 0)).toBeCloseTo(column?.usd ?? 0, 9);
  });
});

describe('costRows', () => {
  it('lists the dearest line of the last volume first, leaves out what costs nothing, and ends with totals', () => {
    const columns = costColumns({ ...props, region: 'us-east-1' }, [0, 100_000_000]);
    const rows = costRows(columns);
    const dearest = columns[1]?.lines.toSorted((one, other) => other.usd - one.usd)[0];
    expect(rows[0]?.[0]).toBe(dearest?.name);
    expect(rows.map(([name]) => name)).not.toContain('X-Ray: traces');
    const [total, free] = rows.slice(-3).map((row) => Number(row[1]));
    expect(total).toBeCloseTo(columns[0]?.usd ?? 0, 2);
    expect(free).toBeCloseTo((total ?? 0) - 3, 2);
  });
});

describe('describeCapped', () => {
  it('says of a column that reconcile may not ask for all that is due', () => {
    const schedules = [{ name: 'reconcile-runs', runsPerMonth: 730 }];
    const of = { ...props, region: 'eu-central-1', resources: { ...resources, schedules } } as const;
    const texts = costColumns(of, [0, 100_000_000, 1_000_000_000]).map(describeCapped);
    expect(texts).toEqual([
      [],
      [],
      [
        '1,000,000,000: includes 1,533,000 read-backs by reconcile, which reconciliation.callsPerSecond allows, of 6,608,333 that are due.',
      ],
    ]);
  });
});

describe('perMillionWebhooks', () => {
  const of = { ...props, region: 'us-east-1' } as const;

  it('gives the peers the log level of the environment, or the lines that Lambda logs by default', () => {
    const { usd, defaultPeersUsd, tunedPeersUsd } = perMillionWebhooks(of);
    expect(usd).toBeGreaterThan(0);
    // Lambda's lines of the two invocations of each webhook.
    const gigabytes = (2 * 1_000_000 * 700) / 1_024 ** 3;
    expect(defaultPeersUsd - tunedPeersUsd).toBeCloseTo(gigabytes * (0.5 + (0.03 * 0.2 * 30) / (730 / 24)), 6);
  });

  it('leaves the peers with the defaults of AWS in the standard classes', () => {
    const peersOf = (changed: Partial<PricedResources>) =>
      perMillionWebhooks({ ...of, resources: { ...resources, ...changed } });
    const [standard, rare] = [peersOf({}), peersOf({ areEventsRare: true, isAccessLogRare: true })];
    expect(rare.defaultPeersUsd).toBeCloseTo(standard.defaultPeersUsd, 9);
    expect(rare.tunedPeersUsd).not.toBeCloseTo(standard.tunedPeersUsd, 2);
  });
});
