import { assumptions } from './assumptions.ts';
import type { CountedUsage, KeptLists, Usage } from './counted-usage.ts';
import type { PriceName } from './price-list.ts';
import { type PricedResources, secondsPerMonth } from './priced-resources.ts';
import { readBacksADay } from './read-backs.ts';

/** How much of what has a price a month takes. */
export type Quantities = Readonly<Record<PriceName, number>> & {
  /** Calls that a trail of the account would record, without polls. */
  readonly dataEvents: number;
  /** Calls of `reconcile` for single entities: those that are due, and those of them that its pace allows. */
  readonly dueReadBacks: number;
  readonly readBacks: number;
};

export type QuantitiesProps = {
  readonly resources: PricedResources;
  readonly usage: CountedUsage;
  /** Of the settings of the environment. */
  readonly eventRetentionDays: number;
  readonly callsPerSecond: number;
  readonly listEveryHours: number;
  readonly readBackAfterHours: number;
  readonly lists: KeptLists;
  /** Webhooks a month, spread evenly. */
  readonly webhooks: number;
  /** Entities in the table: those of `entityMonths` of such webhooks unless given. */
  readonly entities?: number | undefined;
};

const bytesPerGigabyte = 1_024 ** 3;
const hoursPerMonth = 730;
const daysPerMonth = hoursPerMonth / 24;

/** Webhooks in a batch of `store` at most. */
const batchSize = 10;

/** Entries of a page of the platform's list of persons. */
const pageSize = 20;

/** In seconds: what a run of `reconcile` uses of its 15 minutes at most. */
const longestRun = 840;

/** X-Ray records the first request of each second, and this share of the others. */
const tracedShare = 0.05;

/** SQS asks KMS twice for each sender and once for each receiver, each time the data key has expired. */
const keyRequestsPerMessage = 3;

/** To receive the messages of a batch, and to delete them. */
const requestsPerBatch = 2;

/** A query without consistency takes half a read unit for 4 KB. An entity has 150 bytes in the index of due entities. */
const readUnitsPerDueEntity = (0.5 * 150) / 4_096;

/** What a month takes, at a volume of webhooks. */
export function quantitiesOf(props: QuantitiesProps): Quantities {
  const { resources, usage, webhooks, lists, eventRetentionDays } = props;
  const { webhook } = usage;
  const runs = resources.schedules.map(({ name, runsPerMonth: count }) => ({
    name,
    count,
    ...(usage.runs[name] ?? noUsage),
  }));
  const runsOf = (name: string) => sum(runs.filter((run) => run.name === name).map(({ count }) => count));
  const perMonth = (of: (one: Usage) => number) => webhooks * of(webhook) + sum(runs.map((run) => run.count * of(run)));
  const requests = (name: string) => perMonth((one) => one.requests[name] ?? 0);
  const runCount = sum(runs.map(({ count }) => count));
  const perBatch = webhooksPerBatch(webhooks, resources.batchingSeconds);
  const batches = webhooks / perBatch;
  const reconcile = reconcileOf(props);
  const invocations = [webhooks, batches, ...runs.map(({ count }) => count)];
  const gigabytesOf = (name: string) => resources.functions.find((one) => one.name === name)?.gigabytes ?? 0;

  const polls = (resources.polledQueues * assumptions.pollers.value * secondsPerMonth) / assumptions.pollSeconds.value;
  const fifoShare = resources.polledQueues === 0 ? 0 : resources.fifoQueues / resources.polledQueues;
  const tokenRuns = runsOf('token-refresh');
  const secretReads =
    requests('secretsManager GetSecretValue') +
    Math.min(webhooks, (assumptions.receiveInstances.value * secondsPerMonth) / assumptions.secretSeconds.value);

  const listed = (of: (list: CountedUsage['webhook']['lists']['events']) => number) =>
    webhooks * ((lists.events ? of(webhook.lists.events) : 0) + (lists.entities ? of(webhook.lists.entities) : 0));
  const eventUnits = webhooks * (webhook.eventWriteUnits + (lists.events ? webhook.lists.events.writeUnits : 0));
  const writeUnits =
    perMonth((one) => one.writeUnits) + listed((list) => list.writeUnits) - eventUnits - reconcile.idleWrites;
  const eventBytes = webhook.storedBytes.events + (lists.events ? webhook.lists.events.storedBytes : 0);
  const entityBytes = webhook.storedBytes.entities + (lists.entities ? webhook.lists.entities.storedBytes : 0);
  const ofEvents = (webhooks * eventBytes * eventRetentionDays) / daysPerMonth / bytesPerGigabyte;
  const ofEntities = (webhooks * entityBytes * assumptions.entityMonths.value) / bytesPerGigabyte;
  const { areEventsRare, isAccessLogRare } = resources;

  const archived = resources.archiveRetentionDays === 0 ? 0 : (webhooks * webhook.busBytes) / bytesPerGigabyte;
  const logsEachRun = (name: string) => resources.functions.some((one) => one.name === name && one.logsEachRun);
  const platformLines = (logsEachRun('receive') ? webhooks : 0) + (logsEachRun('store') ? batches : 0) + runCount;
  const ofFunctions = perMonth(({ logBytes }) => logBytes) + platformLines * assumptions.platformLogBytes.value;
  const ofAccess = (webhooks * resources.accessLogBytes) / bytesPerGigabyte;
  const logged = ofFunctions / bytesPerGigabyte + (isAccessLogRare ? 0 : ofAccess);
  const rareLogged = isAccessLogRare ? ofAccess : 0;
  const metrics = new Set([...runs, ...(webhooks > 0 ? [webhook] : [])].flatMap((one) => one.metrics));
  const gauges = new Set(usage.runs['gauge-runs']?.metrics).size;

  return {
    httpRequest: webhooks,
    invocation: sum(invocations),
    webhookTime:
      (webhooks * assumptions.receiveMs.value * gigabytesOf('receive') +
        batches * (assumptions.storeMs.value + (perBatch - 1) * assumptions.storeMoreMs.value) * gigabytesOf('store')) /
      1_000,
    runTime: sum(runs.map(({ name, count }) => (count * runMs(name) * gigabytesOf(functionOf(name))) / 1_000)),
    reconcileTime: reconcile.seconds * gigabytesOf('reconcile'),
    queueRequest: polls * (1 - fifoShare) + requests('sqs SendMessage') + batches * requestsPerBatch,
    // A scheduled message, and the request to receive and the one to delete it.
    fifoRequest: polls * fifoShare + (fifoShare > 0 ? tokenRuns * (1 + requestsPerBatch) : 0),
    writeUnit: writeUnits + (areEventsRare ? 0 : eventUnits),
    rareWriteUnit: areEventsRare ? eventUnits : 0,
    reconcileWrite: reconcile.writes,
    readUnit: perMonth(({ readUnits }) => readUnits) - reconcile.idleReads,
    reconcileRead: reconcile.reads,
    storage: ofEntities + (areEventsRare ? 0 : ofEvents),
    rareStorage: areEventsRare ? ofEvents : 0,
    recovery: resources.hasRecovery ? ofEvents + ofEntities : 0,
    busEvent: perMonth(({ busEvents }) => busEvents),
    archived,
    archive: (archived * resources.archiveRetentionDays) / daysPerMonth,
    run: runCount,
    logged,
    rareLogged,
    logStorage: ((logged + rareLogged) * assumptions.compressedShare.value * resources.logRetentionDays) / daysPerMonth,
    gauge: gauges,
    metric:
      metrics.size -
      gauges +
      (webhooks > 0 ? assumptions.memoryMetrics.value : 0) +
      (webhooks > 0 && resources.hasRouteMetrics ? assumptions.metricsPerRoute.value : 0),
    alarm: resources.alarmMetrics,
    compositeAlarm: resources.compositeAlarms,
    dashboard: resources.dashboards,
    key: resources.keys,
    keyRequest: secretReads + keyRequests(props, runs, tokenRuns),
    secret: resources.secrets,
    secretRequest: secretReads,
    trace: resources.functions.some(({ isTraced }) => isTraced) ? sum(invocations.map(tracesOf)) : 0,
    dueReadBacks: reconcile.dueReadBacks,
    readBacks: reconcile.readBacks,
    dataEvents:
      perMonth((one) => sum(Object.entries(one.requests).map(([name, count]) => (isDataEvent(name) ? count : 0)))) +
      batches * requestsPerBatch +
      sum(invocations),
  };
}

/** The usage of what asks nothing of AWS. A schedule that was not counted costs only its runs. */
export const noUsage: Usage = {
  requests: {},
  writeUnits: 0,
  readUnits: 0,
  tableUses: 0,
  busEvents: 0,
  busBytes: 0,
  logBytes: 0,
  metrics: [],
};

/** `reconcile` has a line of its own. */
function runMs(schedule: string): number {
  if (schedule === 'reconcile-runs') return 0;
  return schedule === 'wake-runs' ? assumptions.wakeMs.value : assumptions.runMs.value;
}

/** The function that a schedule starts. */
function functionOf(schedule: string): string {
  if (schedule === 'gauge-runs') return 'wake';
  return schedule === 'token-refresh' ? 'refresh' : schedule.replace(/-runs$/, '');
}

/**
 * Lambda takes what waits. Those that come to the same poller while it gathers join, so that a batch without a window has one webhook.
 * Lambda adds pollers for a backlog, whose batches are full.
 */
function webhooksPerBatch(webhooks: number, batchingSeconds: number): number {
  const perPoller = webhooks / secondsPerMonth / assumptions.pollers.value;
  return Math.min(batchSize, 1 + perPoller * batchingSeconds);
}

/** The row of the verification of a person's onboarding. */
export const readUnitsPerVerification = 1;

/** While much is due it has a place in each of 16 shards of two lanes: six kilobytes. Without, it has two. */
export const writeUnitsPerCheckpoint = 6;

/** What the runs of `reconcile` take: the lists of persons and verifications, entities that are asked for one by one, and checkpoints. */
function reconcileOf(props: QuantitiesProps) {
  const { resources, usage, callsPerSecond, readBackAfterHours, listEveryHours, webhooks, entities } = props;
  const runs = resources.schedules.find(({ name }) => name === 'reconcile-runs')?.runsPerMonth ?? 0;
  const { writeUnits, readUnits } = usage.runs['reconcile-runs'] ?? noUsage;
  const { readBack, person } = usage.reconcile;
  const kept = entities ?? (webhooks * assumptions.entityMonths.value) / assumptions.webhooksPerEntity.value;
  const persons = kept / assumptions.entitiesPerPerson.value;
  const newADay = kept / assumptions.entityMonths.value / daysPerMonth;
  const dueReadBacks = readBacksADay({ newADay, persons, readBackAfterHours }) * daysPerMonth;
  const pageRate = Math.min(callsPerSecond, 1_000 / assumptions.pageMs.value);
  const lists = Math.min(runs, hoursPerMonth / listEveryHours);
  const pages = Math.min((lists * persons) / pageSize, runs * (longestRun / 2) * pageRate);
  const secondsLeft = runs * longestRun - pages / pageRate;
  const readBacks = Math.min(dueReadBacks, secondsLeft * callsPerSecond);
  const busySeconds = readBacks / callsPerSecond + pages / pageRate;
  const [idleReads, idleWrites] = [runs * readUnits, runs * writeUnits];
  return {
    dueReadBacks,
    readBacks,
    idleReads,
    idleWrites,
    seconds: runs * (assumptions.runMs.value / 1_000) + busySeconds,
    reads:
      idleReads +
      readBacks * readBack.readUnits +
      pages * pageSize * (person.readUnits + readUnitsPerVerification) +
      runs * kept * assumptions.openShare.value * readUnitsPerDueEntity,
    writes:
      idleWrites +
      readBacks * readBack.writeUnits +
      (busySeconds / assumptions.checkpointSeconds.value) * writeUnitsPerCheckpoint,
  };
}

/** Of queues and tables: each keeps a data key for minutes, so that a busy one asks no more than a quiet one. */
function keyRequests(
  { resources, usage, webhooks }: QuantitiesProps,
  runs: readonly { readonly count: number; readonly tableUses: number }[],
  tokenRuns: number,
): number {
  if (resources.keys === 0) return 0;
  const most = secondsPerMonth / assumptions.dataKeySeconds.value;
  return (
    Math.min(webhooks, most) * (keyRequestsPerMessage + usage.webhook.tableUses) +
    sum(runs.map(({ count, tableUses }) => Math.min(count, most) * tableUses)) +
    tokenRuns * keyRequestsPerMessage
  );
}

function tracesOf(invocations: number): number {
  const first = Math.min(invocations, secondsPerMonth);
  return first + (invocations - first) * tracedShare;
}

/** EventBridge and Secrets Manager have management events only. */
function isDataEvent(request: string): boolean {
  return request.startsWith('dynamodb ') || request.startsWith('sqs ');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
