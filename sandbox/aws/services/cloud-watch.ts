import * as z from 'zod';
import type { Alarms } from '#sandbox/aws/cloud-watch/alarms.ts';
import type { MetricId, MetricStore, Statistic } from '#sandbox/aws/cloud-watch/metric-store.ts';
import { type AwsService, AwsServiceError, serve } from './aws-service.ts';

/** Times are in seconds since 1970, as the JSON protocol has them. */
const time = z.number();

const metric = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: z.string() })).default([]),
});

const statistic = z.union([
  z.enum(['Sum', 'Average', 'Minimum', 'Maximum', 'SampleCount']),
  z.templateLiteral(['p', z.number()]),
]);

const getMetricData = z.object({
  StartTime: time,
  EndTime: time,
  ScanBy: z.enum(['TimestampAscending', 'TimestampDescending']).default('TimestampDescending'),
  MetricDataQueries: z.array(
    z.object({
      Id: z.string(),
      Label: z.string().optional(),
      MetricStat: z.object({ Metric: metric, Period: z.number(), Stat: statistic }).optional(),
    }),
  ),
});

const alarmState = z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA']);

const describeAlarms = z.object({
  AlarmNames: z.array(z.string()).optional(),
  AlarmNamePrefix: z.string().default(''),
  AlarmTypes: z.array(z.enum(['MetricAlarm', 'CompositeAlarm'])).default(['MetricAlarm']),
  StateValue: alarmState.optional(),
});

const setAlarmState = z.object({ AlarmName: z.string(), StateValue: alarmState, StateReason: z.string() });

/** CloudWatch on the laptop: the metrics of the functions and the services, and the alarms of the stacks. Nothing is notified. */
export function startCloudWatch(metrics: MetricStore, alarms: Alarms): AwsService {
  return serve({
    GetMetricData: (input) => {
      const { StartTime, EndTime, ScanBy, MetricDataQueries } = getMetricData.parse(input);
      return {
        MetricDataResults: MetricDataQueries.map(({ Id, Label, MetricStat }) => {
          if (MetricStat === undefined)
            throw new AwsServiceError(
              'ValidationError',
              `The laptop computes no expression: ${Id} needs a MetricStat.`,
            );
          const { Metric, Period, Stat } = MetricStat;
          const period = Period * 1_000;
          const from = Math.floor((StartTime * 1_000) / period) * period;
          const found = metrics.read(idOf(Metric), Stat satisfies Statistic, { from, to: EndTime * 1_000, period });
          const points = ScanBy === 'TimestampAscending' ? found : found.toReversed();
          return {
            Id,
            Label: Label ?? Metric.MetricName,
            StatusCode: 'Complete',
            Timestamps: points.map(({ at }) => at / 1_000),
            Values: points.map(({ value }) => value),
          };
        }),
      };
    },
    ListMetrics: () => ({
      Metrics: metrics.ids().map(({ namespace, name, dimensions }) => ({
        Namespace: namespace,
        MetricName: name,
        Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      })),
    }),
    DescribeAlarms: (input) => {
      const { AlarmNames, AlarmNamePrefix, AlarmTypes, StateValue } = describeAlarms.parse(input);
      const found = alarms
        .now()
        .filter(({ name, state }) => {
          const isNamed = AlarmNames === undefined || AlarmNames.includes(name);
          return isNamed && name.startsWith(AlarmNamePrefix) && (StateValue === undefined || StateValue === state);
        })
        .map(({ name, arn, description, isComposite, actions, okActions, state, reason, since }) => ({
          isComposite,
          described: {
            AlarmName: name,
            AlarmArn: arn,
            AlarmDescription: description,
            AlarmActions: actions,
            OKActions: okActions,
            StateValue: state,
            StateReason: reason,
            StateUpdatedTimestamp: since / 1_000,
          },
        }));
      const ofType = (type: 'MetricAlarm' | 'CompositeAlarm') =>
        AlarmTypes.includes(type)
          ? found
              .filter(({ isComposite }) => isComposite === (type === 'CompositeAlarm'))
              .map(({ described }) => described)
          : [];
      return { MetricAlarms: ofType('MetricAlarm'), CompositeAlarms: ofType('CompositeAlarm') };
    },
    SetAlarmState: (input) => {
      const { AlarmName, StateValue, StateReason } = setAlarmState.parse(input);
      if (alarms.set(AlarmName, { state: StateValue, reason: StateReason })) return {};
      throw new AwsServiceError('ResourceNotFound', `There is no alarm ${AlarmName}.`);
    },
  });
}

function idOf({ Namespace, MetricName, Dimensions }: z.output<typeof metric>): MetricId {
  return {
    namespace: Namespace,
    name: MetricName,
    dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])),
  };
}
