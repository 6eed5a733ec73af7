import type { Assumptions } from './assumptions.ts';
import type { CountedUsage, KeptLists, Usage } from './counted-usage.ts';
import type { PriceName } from './price-list.ts';
import { type Deployment, daysPerMonth, secondsPerMonth } from './read-deployment.ts';

/** How much of what has a price a month takes. */
export type Quantities = Readonly<Record<PriceName, number>>;

export type QuantitiesProps = {
  readonly deployment: Deployment;
  readonly usage: CountedUsage;
  readonly assumptions: Assumptions;
  /** Of the environment: for how long the events table keeps an event. */
  readonly eventRetentionDays: number;
  /** None unless given. */
  readonly lists?: KeptLists | undefined;
  /** Webhooks a month, spread evenly. */
  readonly webhooks: number;
  /** Entities in the table: those of `entityMonths` of such webhooks unless given. */
  readonly entities?: number | undefined;
};

const bytesPerGigabyte = 1_024 ** 3;

/** X-Ray records the first request of each second, and this share of the others. */
const tracedShare = 0.05;

/** SQS asks KMS twice for each sender and once for each receiver, each time the data key has expired. */
const keyRequestsPerMessage = 3;

/** What Lambda asks of a queue for a batch: to receive and to delete the messages. */
const requestsPerBatch = 2;

/** What a month takes, at a volume of webhooks. */
export function quantitiesOf(props: QuantitiesProps): Quantities {
  const { deployment, usage, assumptions, webhooks } = props;
  const { webhook } = usage;
  const runs = deployment.schedules.map(({ name, runsPerMonth }) => ({
    count: runsPerMonth,
    usage: usageOf(usage, name),
  }));
  const runCount = sum(runs.map(({ count }) => count));
  const batches = webhooks / assumptions.webhooksPerBatch;
  const perMonth = (of: (one: Usage) => number) =>
    webhooks * of(webhook) + sum(runs.map((run) => run.count * of(run.usage)));
  const requests = (name: string) => perMonth((one) => one.requests[name] ?? 0);

  const storage = storedGigabytes(props);
  const logged = loggedGigabytes(props, { batches, runCount, bytes: perMonth(({ logBytes }) => logBytes) });
  const archived = (webhooks * webhook.busBytes) / bytesPerGigabyte;
  const polls = (deployment.polledQueues * assumptions.pollers * secondsPerMonth) / assumptions.pollSeconds;
  const fifoQueues = deployment.queues.filter(({ isFifo }) => isFifo).length / 2;
  const fifoShare = deployment.polledQueues === 0 ? 0 : Math.min(1, fifoQueues / deployment.polledQueues);
  const secretReads =
    requests('secretsManager GetSecretValue') +
    (webhooks === 0
      ? 0
      : Math.min(webhooks, (assumptions.receiveInstances * secondsPerMonth) / assumptions.secretSeconds));
  return {
    httpRequest: webhooks,
    invocation: webhooks + batches + runCount,
    gigabyteSecond: gigabyteSeconds(props, { batches, runCount }),
    queueRequest:
      polls * (1 - fifoShare) +
      requests('sqs SendMessage') +
      requests('sqs SendMessageBatch') +
      batches * requestsPerBatch,
    // A scheduled message, and the request to receive and the one to delete it.
    fifoRequest: fifoShare === 0 ? 0 : polls * fifoShare + tokenRuns(deployment) * (1 + requestsPerBatch),
    writeUnit: perMonth(({ writeUnits }) => writeUnits) + webhooks * listsOf(props, ({ writeUnits }) => writeUnits),
    readUnit: perMonth(({ readUnits }) => readUnits),
    entityRead: entityReads(props),
    tableStorage: storage,
    tableBackup: deployment.tables.some(({ hasRecovery }) => hasRecovery) ? storage : 0,
    busEvent: perMonth(({ busEvents }) => busEvents),
    archivedGigabyte: deployment.archiveRetentionDays === 0 ? 0 : archived,
    archiveStorage: (archived * deployment.archiveRetentionDays) / daysPerMonth,
    scheduledRun: runCount,
    loggedGigabyte: logged,
    logStorage: (logged * deployment.logRetentionDays) / daysPerMonth,
    metric: metricCount(props),
    alarm: deployment.alarmMetrics,
    compositeAlarm: deployment.compositeAlarms,
    dashboard: deployment.dashboards,
    key: deployment.keys,
    keyRequest: secretReads + keyRequests(props, runs),
    secret: deployment.secrets,
    secretRequest: secretReads,
    trace: tracesOf(deployment, [webhooks, batches, ...runs.map(({ count }) => count)]),
  };
}

/** The usage of what asks nothing of AWS. */
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

/** A schedule that was not counted costs its runs alone. */
function usageOf({ runs }: CountedUsage, schedule: string): Usage {
  return runs[schedule] ?? noUsage;
}

function tokenRuns({ schedules }: Deployment): number {
  return schedules.find(({ name }) => name === 'token-refresh')?.runsPerMonth ?? 0;
}

type Invocations = { readonly batches: number; readonly runCount: number };

function gigabyteSeconds({ deployment, assumptions, webhooks }: QuantitiesProps, { batches, runCount }: Invocations) {
  const memoryOf = (name: string) => deployment.functions.find((one) => one.name === name)?.memoryGigabytes ?? 0;
  const wakeRuns = deployment.schedules.find(({ name }) => name === 'wake-runs')?.runsPerMonth ?? 0;
  const largest = Math.max(0, ...deployment.functions.map(({ memoryGigabytes }) => memoryGigabytes));
  const milliseconds =
    webhooks * assumptions.receiveMs * memoryOf('receive') +
    batches * assumptions.storeMs * memoryOf('store') +
    (runCount - wakeRuns) * assumptions.runMs * largest +
    wakeRuns * assumptions.wakeMs * memoryOf('wake');
  return milliseconds / 1_000;
}

type ListUsage = CountedUsage['webhook']['lists']['events'];

/** A query of an index takes half a read unit for these bytes. */
const bytesPerReadUnit = 4_096;
const queryShare = 0.5;

/** Of an entity in the index of due entities: its keys, with their names. */
const dueBytes = 150;

/** Each run of `reconcile` reads the index of due entities. */
function entityReads({ deployment, assumptions, webhooks, entities }: QuantitiesProps): number {
  const { webhooksPerEntity, entityMonths, openShare } = assumptions;
  const kept = entities ?? (webhooks * entityMonths) / webhooksPerEntity;
  const runs = deployment.schedules.find(({ name }) => name === 'reconcile-runs')?.runsPerMonth ?? 0;
  return runs * kept * openShare * ((queryShare * dueBytes) / bytesPerReadUnit);
}

/** What the time indexes of the environment add to a webhook. */
function listsOf({ usage, lists }: QuantitiesProps, of: (list: ListUsage) => number): number {
  const { events, entities } = usage.webhook.lists;
  return (lists?.events ? of(events) : 0) + (lists?.entities ? of(entities) : 0);
}

function storedGigabytes({ usage, assumptions, eventRetentionDays, lists, webhooks }: QuantitiesProps): number {
  const { storedBytes, lists: listed } = usage.webhook;
  const events = storedBytes.events + (lists?.events ? listed.events.storedBytes : 0);
  const entities = storedBytes.entities + (lists?.entities ? listed.entities.storedBytes : 0);
  const months = eventRetentionDays / daysPerMonth;
  return (webhooks * (events * months + entities * assumptions.entityMonths)) / bytesPerGigabyte;
}

function loggedGigabytes(
  { deployment, assumptions, webhooks }: QuantitiesProps,
  { batches, runCount, bytes }: Invocations & { readonly bytes: number },
): number {
  const logsEachRun = (name: string) => deployment.functions.some((one) => one.name === name && one.logsEachRun);
  const invocations = (logsEachRun('receive') ? webhooks : 0) + (logsEachRun('store') ? batches : 0) + runCount;
  return (bytes + webhooks * deployment.accessLogBytes + invocations * assumptions.platformLogBytes) / bytesPerGigabyte;
}

function metricCount({ deployment, usage, assumptions, webhooks }: QuantitiesProps): number {
  const used = webhooks > 0 ? [...Object.values(usage.runs), usage.webhook] : Object.values(usage.runs);
  const own = new Set(used.flatMap(({ metrics }) => metrics)).size;
  return own + (webhooks > 0 && deployment.hasRouteMetrics ? assumptions.metricsPerRoute : 0);
}

/** Of queues and tables: each keeps a data key for minutes, so that a busy one asks no more than a quiet one. */
function keyRequests(
  { deployment, usage, assumptions, webhooks }: QuantitiesProps,
  runs: readonly { readonly count: number; readonly usage: Usage }[],
): number {
  if (deployment.keys === 0) return 0;
  const most = secondsPerMonth / assumptions.dataKeySeconds;
  const ofWebhooks = Math.min(webhooks, most);
  const ofRuns = runs.map((run) => Math.min(run.count, most) * run.usage.tableUses);
  return (
    ofWebhooks * (keyRequestsPerMessage + usage.webhook.tableUses) +
    sum(ofRuns) +
    tokenRuns(deployment) * keyRequestsPerMessage
  );
}

function tracesOf({ functions }: Deployment, invocations: readonly number[]): number {
  if (!functions.some(({ isTraced }) => isTraced)) return 0;
  const recorded = (count: number) => {
    const first = Math.min(count, secondsPerMonth);
    return first + (count - first) * tracedShare;
  };
  return sum(invocations.map(recorded));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
