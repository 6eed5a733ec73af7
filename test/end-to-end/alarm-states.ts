import * as z from 'zod';
import { metricsNamespace } from '#shared/lambda/metrics.ts';
import { deployedStack, resourcesOf } from '#test/infra/deployed-stack.ts';

export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** A value of a metric of ours, at a time in minutes. */
export type Sample = { readonly minute: number; readonly metric: string; readonly value: number };

const metricAlarm = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Period: z.number(),
  EvaluationPeriods: z.number(),
  Statistic: z.enum(['Sum', 'Maximum', 'SampleCount']),
  ComparisonOperator: z.enum(['GreaterThanThreshold', 'LessThanThreshold']),
  Threshold: z.number(),
  TreatMissingData: z.enum(['breaching', 'notBreaching', 'ignore']),
  AlarmActions: z.array(z.unknown()).default([]),
});

type MetricAlarm = z.infer<typeof metricAlarm>;

const reference = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });
const compositeAlarm = z.object({
  AlarmRule: z.object({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.union([z.string(), reference]))]) }),
  AlarmActions: z.array(z.unknown()).min(1),
});

/** The alarms of the service stack on metrics of ours, and those that depend on them, as CloudWatch evaluates them. */
export function createAlarmStates() {
  const service = deployedStack('service');
  const metricAlarms = resourcesOf(service, 'AWS::CloudWatch::Alarm')
    .map(({ id, Properties }) => ({ id, alarm: metricAlarm.parse(Properties) }))
    .filter(({ alarm }) => alarm.Namespace === metricsNamespace);
  const composites = resourcesOf(service, 'AWS::CloudWatch::CompositeAlarm')
    .filter(({ Properties }) => Properties['AlarmActions'] !== undefined)
    .map(({ id, Properties }) => ({ id, conditions: readConditions(compositeAlarm.parse(Properties)) }));
  const states = new Map<string, AlarmState>();

  return {
    /** The logical ids of the alarms that are on and notify the topic. */
    evaluate: (samples: readonly Sample[], now: number): readonly string[] => {
      for (const { id, alarm } of metricAlarms) states.set(id, stateOf(alarm, samples, now) ?? keptState(states, id));
      const notifying = metricAlarms.filter(
        ({ id, alarm }) => alarm.AlarmActions.length > 0 && states.get(id) === 'ALARM',
      );
      const combined = composites.filter(({ conditions }) =>
        conditions.every(({ id, state }) => states.get(id) === state),
      );
      return [...notifying, ...combined].map(({ id }) => id);
    },
  };
}

const keptState = (states: ReadonlyMap<string, AlarmState>, id: string) => states.get(id) ?? 'INSUFFICIENT_DATA';

/** Undefined where the alarm keeps its state. */
function stateOf(alarm: MetricAlarm, samples: readonly Sample[], now: number): AlarmState | undefined {
  const ofMetric = samples.filter(({ metric }) => metric === alarm.MetricName);
  const minutes = alarm.Period / 60;
  const periods = Array.from({ length: alarm.EvaluationPeriods }, (_, index) => {
    const end = now - index * minutes;
    return ofMetric.filter(({ minute }) => minute > end - minutes && minute <= end).map(({ value }) => value);
  });
  const missing = alarm.TreatMissingData;
  if (missing === 'ignore' && periods.every((values) => values.length === 0)) return undefined;
  const isBreaching = (values: readonly number[]) =>
    values.length === 0 ? missing === 'breaching' : exceeds(alarm, values);
  return periods.every(isBreaching) ? 'ALARM' : 'OK';
}

function exceeds({ Statistic, ComparisonOperator, Threshold }: MetricAlarm, values: readonly number[]): boolean {
  const value = {
    Sum: values.reduce((sum, one) => sum + one, 0),
    Maximum: Math.max(...values),
    SampleCount: values.length,
  }[Statistic];
  return ComparisonOperator === 'GreaterThanThreshold' ? value > Threshold : value < Threshold;
}

/** Of a rule such as `(ALARM("…") AND OK("…"))`. */
function readConditions({ AlarmRule }: z.infer<typeof compositeAlarm>) {
  const [, parts] = AlarmRule['Fn::Join'];
  const rule = parts.map((part) => (typeof part === 'string' ? part : part['Fn::GetAtt'][0])).join('');
  const conditions = [...rule.matchAll(/(ALARM|OK)\("(\w+)"\)/g)].map(([, state, id = '']) => ({ state, id }));
  if (!/^\(\w+\("\w+"\)( AND \w+\("\w+"\))*\)$/.test(rule)) throw new Error(`Extend the test by the rule ${rule}.`);
  return conditions;
}
