import { GetMetricDataCommand, type MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { type CountName, environmentDimension, type MeasureName, metricsNamespace } from '#shared/lambda/metrics.ts';
import { metricPeriod } from './metric-query.ts';

/** A metric that `status` shows. */
export type Shown = {
  readonly metric: CountName | MeasureName;
  /** `Latest` is the value of the latest minute: an earlier one says nothing about now. */
  readonly statistic: 'Sum' | 'Latest';
  /** In seconds: how far back. */
  readonly within: number;
  /** What an operator calls it. */
  readonly title: string;
};

const hour = 3_600;

/** What `status` shows of the metrics. */
export const shownMetrics = [
  { metric: 'EventsStored', statistic: 'Sum', within: hour, title: 'events stored in the last hour' },
  { metric: 'DuplicateDeliveries', statistic: 'Sum', within: hour, title: 'duplicate deliveries in the last hour' },
  { metric: 'EntityChanges', statistic: 'Sum', within: hour, title: 'changes published in the last hour' },
  {
    metric: 'UndeliveredUnstored',
    statistic: 'Latest',
    within: hour / 4,
    title: 'undelivered, not stored yet',
  },
  {
    metric: 'UndeliveredNow',
    statistic: 'Latest',
    within: hour / 4,
    title: 'stored, to be marked by the next run',
  },
  { metric: 'DriftFound', statistic: 'Sum', within: 24 * hour, title: 'drift found in the last day' },
] as const satisfies readonly Shown[];

export type ShownMetric = (typeof shownMetrics)[number]['metric'];

/** CloudWatch returns whole periods of this length, in seconds. */
const period = 300;

/**
 * The metrics of the last hour or day, by name; null where none was written.
 *
 * @throws what CloudWatch answers with
 */
export async function readMetrics(
  { environment, isLaptop, clients }: Pick<Deployment, 'environment' | 'isLaptop' | 'clients'>,
  now: Date,
): Promise<Readonly<Record<ShownMetric, number | null>>> {
  const Dimensions = [{ Name: environmentDimension, Value: isLaptop ? 'laptop' : environment }];
  const found = await Promise.all(
    shownMetrics.map(async ({ metric, statistic, within }) => {
      const query: MetricDataQuery = {
        Id: 'value',
        MetricStat: {
          Metric: { Namespace: metricsNamespace, MetricName: metric, Dimensions },
          Period: statistic === 'Latest' ? metricPeriod : period,
          Stat: statistic === 'Latest' ? 'Maximum' : statistic,
        },
      };
      const { MetricDataResults = [] } = await clients.cloudWatch.send(
        new GetMetricDataCommand({
          StartTime: new Date(now.getTime() - within * 1_000),
          // The current minute counts.
          EndTime: new Date(now.getTime() + metricPeriod * 1_000),
          ScanBy: 'TimestampDescending',
          MetricDataQueries: [query],
        }),
      );
      return [metric, summarize(statistic, MetricDataResults[0]?.Values ?? [])] as const;
    }),
  );
  const byName = new Map<ShownMetric, number | null>(found);
  const latest = (metric: ShownMetric) => byName.get(metric) ?? null;
  return {
    EventsStored: latest('EventsStored'),
    DuplicateDeliveries: latest('DuplicateDeliveries'),
    EntityChanges: latest('EntityChanges'),
    UndeliveredUnstored: latest('UndeliveredUnstored'),
    UndeliveredNow: latest('UndeliveredNow'),
    DriftFound: latest('DriftFound'),
  };
}

function summarize(statistic: Shown['statistic'], values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return statistic === 'Sum' ? values.reduce((one, other) => one + other, 0) : (values[0] ?? null);
}
