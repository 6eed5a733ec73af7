import * as z from 'zod';
import { notChecked, number } from '#sandbox/aws/stacks/resource-types.ts';

/** The statistics and comparisons that the stacks use. Another one stops the laptop, because it would be evaluated wrongly. */
const shared = {
  AlarmName: z.string(),
  AlarmDescription: z.string().optional(),
  AlarmActions: z.array(z.string()).default([]),
  OKActions: z.array(z.string()).default([]),
  Tags: notChecked,
};

export const alarmProperties = z.strictObject({
  ...shared,
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.strictObject({ Name: z.string(), Value: z.string() })).default([]),
  /** A percentile has the other property. */
  Statistic: z.enum(['Sum', 'Average', 'Minimum', 'Maximum', 'SampleCount']).optional(),
  ExtendedStatistic: z.templateLiteral(['p', z.number()]).optional(),
  /** The laptop evaluates a percentile of few values too: it has few. */
  EvaluateLowSampleCountPercentile: notChecked,
  /** In seconds. */
  Period: number,
  EvaluationPeriods: number,
  DatapointsToAlarm: number.optional(),
  Threshold: number,
  ComparisonOperator: z.enum(['GreaterThanThreshold', 'LessThanThreshold']),
  TreatMissingData: z.enum(['breaching', 'notBreaching', 'ignore', 'missing']).default('missing'),
});

export type AlarmProperties = z.output<typeof alarmProperties>;

/** A suppressor only keeps notifications back, and the laptop notifies nobody. */
export const compositeAlarmProperties = z.strictObject({
  ...shared,
  AlarmRule: z.string(),
  ActionsSuppressor: notChecked,
  ActionsSuppressorWaitPeriod: notChecked,
  ActionsSuppressorExtensionPeriod: notChecked,
});

export type CompositeAlarmProperties = z.output<typeof compositeAlarmProperties>;
