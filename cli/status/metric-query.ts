import type { MetricDataQuery } from '@aws-sdk/client-cloudwatch';
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
