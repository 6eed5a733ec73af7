import { describe, expect, it } from 'vitest';
import { metricsIn } from '#sandbox/aws/cloud-watch/embedded-metrics.ts';
import { createMetricStore } from '#sandbox/aws/cloud-watch/metric-store.ts';

const minute = 60_000;
const id = { namespace: 'Drawbridge', name: 'EventsStored', dimensions: { Environment: 'laptop' } };

describe('the metric store of the laptop', () => {
  it('summarizes the values of each period', () => {
    const metrics = createMetricStore();
    for (const [index, value] of [4, 1, 2, 10].entries()) metrics.add(id, value, index * minute);
    const read = (statistic: Parameters<typeof metrics.read>[1]) =>
      metrics.read(id, statistic, { from: 0, to: 4 * minute, period: 2 * minute }).map(({ value }) => value);
    expect(read('Sum')).toEqual([5, 12]);
    expect(read('Average')).toEqual([2.5, 6]);
    expect(read('Minimum')).toEqual([1, 2]);
    expect(read('Maximum')).toEqual([4, 10]);
    expect(read('SampleCount')).toEqual([2, 2]);
    expect(read('p50')).toEqual([1, 2]);
  });

  it('keeps metrics with other dimensions apart, and takes values in any order', () => {
    const metrics = createMetricStore();
    metrics.add({ ...id, dimensions: { Environment: 'other' } }, 100, 0);
    metrics.add(id, 2, minute);
    metrics.add(id, 1, 0);
    const window = { from: 0, to: 2 * minute, period: minute };
    expect(metrics.read(id, 'Sum', window)).toEqual([
      { at: 0, value: 1 },
      { at: minute, value: 2 },
    ]);
    expect(metrics.ids()).toHaveLength(2);
  });

  it('keeps values for a day, however few of its minutes have a value', () => {
    const metrics = createMetricStore();
    const hour = 60 * minute;
    for (const at of [0, 10 * hour, 24 * hour, 30 * hour]) metrics.add(id, 1, at);
    const window = { from: 0, to: 31 * hour, period: minute };
    expect(metrics.read(id, 'Sum', window).map(({ at }) => at / hour)).toEqual([10, 24, 30]);
  });

  it.each(['{"message":"event applied"}', 'no JSON "CloudWatchMetrics"', '{"_aws":{"CloudWatchMetrics":7}}'])(
    'reads no metric from another line: %s',
    (line) => {
      expect(metricsIn(line)).toEqual([]);
    },
  );
});
