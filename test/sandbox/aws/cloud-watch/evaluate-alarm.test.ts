import { describe, expect, it } from 'vitest';
import { alarmProperties } from '#sandbox/aws/cloud-watch/alarm-types.ts';
import { type AlarmState, evaluateAlarm } from '#sandbox/aws/cloud-watch/evaluate-alarm.ts';
import { createMetricStore } from '#sandbox/aws/cloud-watch/metric-store.ts';

const minute = 60_000;
const now = Date.parse('2026-01-02T03:04:30Z');
const id = { namespace: 'Drawbridge', name: 'EventsQuarantined', dimensions: { Environment: 'laptop' } };

const alarm = alarmProperties.parse({
  AlarmName: 'drawbridge-laptop-EventsQuarantined',
  Namespace: id.namespace,
  MetricName: id.name,
  Dimensions: [{ Name: 'Environment', Value: 'laptop' }],
  Statistic: 'Sum',
  Period: 60,
  EvaluationPeriods: 3,
  Threshold: 0,
  ComparisonOperator: 'GreaterThanThreshold',
  TreatMissingData: 'notBreaching',
});

/** The state by values of the last whole minutes, the newest first; undefined for a minute without a value. */
function stateOf(
  values: readonly (number | undefined)[],
  change: Partial<typeof alarm> = {},
  startedAt = 0,
  before: AlarmState = 'OK',
) {
  const metrics = createMetricStore();
  for (const [index, value] of values.entries())
    if (value !== undefined) metrics.add(id, value, now - (index + 1) * minute);
  return evaluateAlarm({ ...alarm, ...change }, { metrics, now, startedAt, before }).state;
}

describe('an alarm on the laptop', () => {
  it.each([
    [[1, 1, 1], 'ALARM'],
    [[1, 0, 1], 'OK'],
    [[1, undefined, 1], 'OK'],
    [[], 'OK'],
  ] as const)('needs every period to exceed the threshold: %j is %s', (values, state) => {
    expect(stateOf(values)).toBe(state);
  });

  it('needs as many periods as its datapoints to alarm say', () => {
    expect(stateOf([1, 0, 1], { DatapointsToAlarm: 2 })).toBe('ALARM');
    expect(stateOf([1, 0, 0], { DatapointsToAlarm: 2 })).toBe('OK');
  });

  it('counts a missing value as it declares', () => {
    expect(stateOf([], { TreatMissingData: 'breaching' })).toBe('ALARM');
    expect(stateOf([], { TreatMissingData: 'ignore' })).toBe('OK');
    expect(stateOf([], { TreatMissingData: 'missing' })).toBe('INSUFFICIENT_DATA');
  });

  it.each([
    ['ignore', [1, undefined, undefined], 'INSUFFICIENT_DATA'],
    ['ignore', [0, undefined, undefined], 'OK'],
    ['missing', [1, undefined, undefined], 'ALARM'],
  ] as const)(
    'decides with %s by the values that are there, where the missing ones make no difference: %j',
    (...row) => {
      const [TreatMissingData, values, state] = row;
      expect(stateOf(values, { TreatMissingData }, 0, 'INSUFFICIENT_DATA')).toBe(state);
    },
  );

  it('compares below a threshold as well, and leaves out the minute that is not over', () => {
    expect(stateOf([3, 3, 3], { ComparisonOperator: 'LessThanThreshold', Threshold: 4 })).toBe('ALARM');
    const metrics = createMetricStore();
    metrics.add(id, 1, now);
    const one = { ...alarm, EvaluationPeriods: 1 };
    expect(evaluateAlarm(one, { metrics, now, startedAt: 0, before: 'OK' }).state).toBe('OK');
  });
});
