import { GetMetricDataCommand, type MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import { type Deployment, settingsNameOf } from '#cli/deployment/deployment.ts';
import { countOf } from '#cli/output/count-of.ts';
import { formatAge } from '#cli/output/format-age.ts';
import { eventListAnswer } from '#shared/api/query-answers.ts';
import { environmentDimension, metricsNamespace, operationDimension } from '#shared/lambda/metrics.ts';
import { metricPeriod, ownMetric } from './metric-query.ts';

/** The operations of the platform that the functions call. */
export const calledOperations = [
  'List undelivered webhooks',
  'Mark webhooks delivered',
  'List webhooks',
  'List missing webhooks',
  'Register webhook',
  'Delete webhook',
  'Create natural person',
  'Get natural persons',
  'Get natural person',
  'Update natural person',
  'Create natural person identification',
  'Create Identification Verification',
  'Get Identification Verifications',
  'Get Identification Verification',
  'Get transfer',
] as const;

/** An outage of the platform that is under way. */
export type PlatformOutage = {
  /** The minute of the first failure. ISO 8601, in UTC. */
  readonly since: string;
  /** Of the calls since then. Each retry is a call. */
  readonly calls: number;
  readonly failed: number;
  /** Which calls failed, most frequent first. */
  readonly operations: readonly { readonly operation: string; readonly failed: number }[];
  /** Onboardings that wait because a call failed. Null where the onboardings could not be read. */
  readonly onboardingsWaiting: number | null;
  /** When the latest event was stored. Null where there is none, or where events are not listed. */
  readonly lastWebhookOn: string | null;
};

/** What the functions counted in a minute. */
export type CallMinute = { readonly at: number; readonly calls: number; readonly failed: number };

/** In milliseconds. CloudWatch bills a series, not how far back it is read. */
const within = 24 * 60 * 60_000;

/** In milliseconds: Drain calls the platform each minute, and metrics are some minutes late. */
const longestSilence = 10 * 60_000;

/** A single minute can be a deployment of the platform, which the retries outlast. */
const fewestMinutes = 2;

/**
 * The outage that is under way: in each of the latest minutes, more than half of the calls failed.
 *
 * @param minutes those with calls, the oldest first
 */
export function findOutage(
  minutes: readonly CallMinute[],
  now: Date,
): Pick<PlatformOutage, 'since' | 'calls' | 'failed'> | undefined {
  const lastGood = minutes.findLastIndex(({ calls, failed }) => failed * 2 <= calls);
  const bad = minutes.slice(lastGood + 1);
  const [first] = bad;
  const last = bad.at(-1);
  if (first === undefined || last === undefined || bad.length < fewestMinutes) return undefined;
  if (now.getTime() - last.at > longestSilence) return undefined;
  const sum = (value: (minute: CallMinute) => number) => bad.reduce((total, minute) => total + value(minute), 0);
  const failed = sum((minute) => minute.failed);
  return {
    since: new Date(first.at).toISOString(),
    calls: Math.max(
      failed,
      sum(({ calls }) => calls),
    ),
    failed,
  };
}

type Counted = Omit<PlatformOutage, 'onboardingsWaiting'>;

/**
 * Reads whether the platform has an outage; null where it has none. Costs one request unless it has.
 *
 * @param now by the clock of the deployment
 * @throws what CloudWatch answers with
 */
export async function readPlatformOutage(
  { environment, clients, api }: Pick<Deployment, 'environment' | 'clients' | 'api'>,
  now: Date,
): Promise<Counted | null> {
  const end = now.getTime() + metricPeriod * 1_000;
  const readSeries = async (from: number, MetricDataQueries: MetricDataQuery[]) => {
    const range = { StartTime: new Date(from), EndTime: new Date(end), ScanBy: 'TimestampAscending' } as const;
    const { MetricDataResults = [] } = await clients.cloudWatch.send(
      new GetMetricDataCommand({ ...range, MetricDataQueries }),
    );
    return (id: string) => {
      const { Timestamps = [], Values = [] } = MetricDataResults.find(({ Id }) => Id === id) ?? {};
      return new Map(Timestamps.map((time, index) => [time.getTime(), Values[index] ?? 0]));
    };
  };
  const series = await readSeries(now.getTime() - within, [
    ownMetric('calls', environment, { metric: 'PlatformCallDuration', statistic: 'SampleCount' }),
    ownMetric('failed', environment, { metric: 'PlatformCallsFailed', statistic: 'Sum' }),
  ]);
  const [calls, failed] = [series('calls'), series('failed')];
  const minutes = [...new Set([...calls.keys(), ...failed.keys()])]
    .toSorted((one, other) => one - other)
    .map((at) => ({ at, calls: calls.get(at) ?? 0, failed: failed.get(at) ?? 0 }));
  const outage = findOutage(minutes, now);
  if (outage === undefined) return null;
  const ofOperations = await readSeries(
    Date.parse(outage.since),
    calledOperations.map((operation, index) => operationMetric(`o${index}`, environment, operation)),
  );
  const operations = calledOperations
    .map((operation, index) => {
      const counts = [...ofOperations(`o${index}`).values()];
      return { operation, failed: counts.reduce((sum, count) => sum + count, 0) };
    })
    .filter((each) => each.failed > 0)
    .toSorted((one, other) => other.failed - one.failed);
  const latest = await api
    .send({ method: 'GET', path: '/events', query: { limit: '1' } }, eventListAnswer)
    .catch(() => undefined);
  return { ...outage, operations, lastWebhookOn: latest?.items[0]?.receivedOn ?? null };
}

function operationMetric(Id: string, environment: string, operation: string): MetricDataQuery {
  const Dimensions = [
    { Name: environmentDimension, Value: settingsNameOf(environment) },
    { Name: operationDimension, Value: operation },
  ];
  const Metric = { Namespace: metricsNamespace, MetricName: 'PlatformCallsFailed', Dimensions };
  return { Id, MetricStat: { Metric, Period: metricPeriod, Stat: 'Sum' } };
}

/** An outage in words: what `status`, `doctor` and the overview say. @param now by the clock of the deployment */
export function describeOutage(
  { since, calls, failed, operations, onboardingsWaiting, lastWebhookOn }: PlatformOutage,
  now: Date,
): { readonly title: string; readonly details: readonly string[] } {
  const ageOf = (time: string) => formatAge((now.getTime() - Date.parse(time)) / 1_000);
  const names = operations.map((each) => `${each.operation} (${each.failed})`).join(', ');
  const title = failed === calls ? 'The platform answers no call' : `The platform fails ${failed} of ${calls} calls`;
  return {
    title: `${title} since ${since.slice(0, 16)}Z (${ageOf(since)}).`,
    details: [
      ...(names === '' ? [] : [`Failed calls: ${names}.`]),
      ...(onboardingsWaiting === null
        ? []
        : [`${countOf(onboardingsWaiting, 'onboarding waits', 'onboardings wait')} for the platform.`]),
      lastWebhookOn === null
        ? 'No webhook is known to have come.'
        : `The last webhook came ${ageOf(lastWebhookOn)} ago, at ${lastWebhookOn.slice(0, 16)}Z.`,
      'Drawbridge retries each call, and continues by itself once the platform answers.',
    ],
  };
}

/** What an operator does about an outage. */
export function remedyOfOutage({ isLaptop }: Pick<Deployment, 'isLaptop'>): string {
  return isLaptop
    ? 'drawbridge fault off, if you placed a fault. To list the faults: drawbridge fault ls.'
    : 'Ask the operator of the platform. To see the errors: drawbridge logs errors-by-function.';
}
