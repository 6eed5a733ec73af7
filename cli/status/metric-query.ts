import { type MetricDataQuery, paginateGetMetricData } from '@aws-sdk/client-cloudwatch';
import { type Deployment, settingsNameOf } from '#cli/deployment/deployment.ts';
import type { QueueName } from '#cli/deployment/resource-names.ts';
import {
  type CallCountName,
  type CountName,
  type DurationName,
  environmentDimension,
  type MeasureName,
  metricsNamespace,
  operationDimension,
} from '#shared/lambda/metrics.ts';

/** In seconds: CloudWatch and the laptop keep a value for each minute. */
export const metricPeriod = 60;

export type QueueMetric = 'ApproximateAgeOfOldestMessage' | 'ApproximateNumberOfMessagesVisible';

/** A metric that the functions of an environment write, minute by minute unless a period is given: of all operations of the platform, or of one. */
export function ownMetric(
  Id: string,
  environment: string,
  {
    metric: MetricName,
    statistic: Stat,
    operation,
    period: Period = metricPeriod,
  }: {
    readonly metric: CountName | MeasureName | CallCountName | DurationName;
    readonly statistic: string;
    readonly operation?: string;
    /** In seconds. */
    readonly period?: number;
  },
): MetricDataQuery {
  const Dimensions = [
    { Name: environmentDimension, Value: settingsNameOf(environment) },
    ...(operation === undefined ? [] : [{ Name: operationDimension, Value: operation }]),
  ];
  return {
    Id,
    MetricStat: { Metric: { Namespace: metricsNamespace, MetricName, Dimensions }, Period, Stat },
  };
}

/** Minute by minute, the largest value of a metric of a queue. */
export function queueMetric(
  Id: string,
  { idOf }: Pick<Awaited<ReturnType<Deployment['resources']>>, 'idOf'>,
  name: QueueName,
  MetricName: QueueMetric,
): MetricDataQuery {
  const Dimensions = [{ Name: 'QueueName', Value: idOf('queue', name).split('/').at(-1) }];
  return {
    Id,
    MetricStat: { Metric: { Namespace: 'AWS/SQS', MetricName, Dimensions }, Period: metricPeriod, Stat: 'Maximum' },
  };
}

/** A value of a metric. `at` is the start of its period, in milliseconds since 1970. */
export type MetricValue = { readonly at: number; readonly value: number };

/**
 * Reads metrics, and returns the values of each by the id of its query, the latest first: none if CloudWatch has none.
 *
 * @param times in milliseconds since 1970: values at `from` count, and those at `until` do not
 * @throws what CloudWatch answers with
 */
export async function readValues(
  { cloudWatch: client }: Pick<Deployment['clients'], 'cloudWatch'>,
  MetricDataQueries: MetricDataQuery[],
  { from, until }: { readonly from: number; readonly until: number },
): Promise<(id: string) => readonly MetricValue[]> {
  const values = new Map<string | undefined, MetricValue[]>();
  const range = { StartTime: new Date(from), EndTime: new Date(until) };
  const pages = paginateGetMetricData({ client }, { ...range, ScanBy: 'TimestampDescending', MetricDataQueries });
  for await (const { MetricDataResults = [] } of pages)
    for (const { Id, Timestamps = [], Values = [] } of MetricDataResults) {
      const found = Timestamps.map((time, index) => ({ at: time.getTime(), value: Values[index] ?? 0 }));
      values.set(Id, [...(values.get(Id) ?? []), ...found]);
    }
  return (id) => values.get(id) ?? [];
}

/** The end of the minute of `now` at the latest, in milliseconds since 1970: what was written in the current minute counts. */
export function afterMinuteOf(now: Date): number {
  return now.getTime() + metricPeriod * 1_000;
}

/** Null if there are no values. */
export function totalOf(values: readonly MetricValue[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, { value }) => sum + value, 0);
}
