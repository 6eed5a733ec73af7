import type { AlarmProperties } from './alarm-types.ts';
import type { MetricStore } from './metric-store.ts';

const minute = 60_000;

export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

export type EvaluationDeps = {
  readonly metrics: MetricStore;
  readonly now: number;
  readonly startedAt: number;
  readonly before: AlarmState;
};

/** A state with the sentence that CloudWatch shows for it. */
export type Evaluation = { readonly state: AlarmState; readonly reason: string };

/**
 * The state of an alarm by the last periods of its metric. CloudWatch also uses values of some periods before these, if later
 * ones are missing: the laptop does not, and changes a state earlier.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation.html
 *
 * @param now in milliseconds since 1970
 * @param startedAt since when there are metrics: earlier periods do not count as missing
 * @param before the state until now, which `ignore` keeps if there are no values
 */
export function evaluateAlarm(alarm: AlarmProperties, { metrics, now, startedAt, before }: EvaluationDeps): Evaluation {
  const { EvaluationPeriods: periods, DatapointsToAlarm: needed = periods, TreatMissingData, Threshold } = alarm;
  const period = alarm.Period * 1_000;
  // Alarms are evaluated each minute, so their periods end with the last whole minute.
  const to = Math.floor(now / minute) * minute;
  const id = {
    namespace: alarm.Namespace,
    name: alarm.MetricName,
    dimensions: Object.fromEntries(alarm.Dimensions.map(({ Name, Value }) => [Name, Value])),
  };
  const from = to - periods * period;
  const statistic = alarm.Statistic ?? alarm.ExtendedStatistic ?? 'Average';
  const found = metrics.read(id, statistic, { from, to, period });
  if (found.length === 0 && TreatMissingData === 'breaching' && from < startedAt)
    return { state: before, reason: 'There are no metrics for so long yet.' };
  const breaching = found.filter(({ value }) => isBreaching(alarm, value)).length;
  const missing = periods - found.length;
  const side = alarm.ComparisonOperator === 'GreaterThanThreshold' ? 'above' : 'below';
  const described = `${found.length} of ${periods} periods have a value, and ${breaching} of them are ${side} ${Threshold}.`;
  const stateWith = (filled: number) => (breaching + filled >= needed ? 'ALARM' : 'OK');
  const decide = (): AlarmState => {
    if (TreatMissingData === 'breaching') return stateWith(missing);
    if (TreatMissingData === 'notBreaching') return stateWith(0);
    if (found.length === 0) return TreatMissingData === 'ignore' ? before : 'INSUFFICIENT_DATA';
    // Whatever the missing values are, the state is the same.
    if (stateWith(0) === stateWith(missing)) return stateWith(0);
    return TreatMissingData === 'ignore' ? before : 'ALARM';
  };
  return { state: decide(), reason: described };
}

function isBreaching({ ComparisonOperator, Threshold }: AlarmProperties, value: number): boolean {
  return ComparisonOperator === 'GreaterThanThreshold' ? value > Threshold : value < Threshold;
}
