import { CloudWatchClient, DescribeAlarmsCommand, type StateValue } from '@aws-sdk/client-cloudwatch';
import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFunction } from '#test/sandbox/aws/fixture-assembly.ts';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';

const writesMetrics = `
  exports.handler = async ({ value, fails }) => {
    if (fails) throw new RangeError('as requested');
    const Metrics = [{ Name: 'Orders' }];
    const CloudWatchMetrics = [{ Namespace: 'Fixture', Dimensions: [['Environment']], Metrics }];
    console.log(JSON.stringify({ _aws: { Timestamp: Date.now(), CloudWatchMetrics }, Environment: 'test', Orders: value }));
    return {};
  };`;

const minute = 60_000;
/** The clock of the host runs from the middle of a minute. */
const begin = Date.parse('2026-01-02T03:04:30Z');
let now = begin;
let fixture: FixtureHost;
let client: CloudWatchClient;
beforeAll(async () => {
  fixture = await startFixture(
    (stack) => {
      const orders = addFunction(stack, 'Orders', writesMetrics);
      const queue = new Queue(stack, 'Waiting');
      const props = { evaluationPeriods: 1, threshold: 0, treatMissingData: TreatMissingData.NOT_BREACHING };
      const period = Duration.minutes(1);
      const add = (alarmName: string, metric: Metric) =>
        new Alarm(stack, alarmName, {
          ...props,
          alarmName,
          metric: metric.with({ period }),
          comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        });
      const dimensionsMap = { Environment: 'test' };
      const many = add(
        'orders',
        new Metric({ namespace: 'Fixture', metricName: 'Orders', dimensionsMap, statistic: 'Sum' }),
      );
      const errors = add('errors', orders.metricErrors());
      add('waiting', queue.metricApproximateNumberOfMessagesVisible());
      add('throttles', orders.metricThrottles());
      const alarmRule = AlarmRule.anyOf(
        AlarmRule.fromAlarm(many, AlarmState.ALARM),
        AlarmRule.fromAlarm(errors, AlarmState.ALARM),
      );
      new CompositeAlarm(stack, 'Any', { compositeAlarmName: 'any', alarmRule });
    },
    { now: () => new Date(now) },
  );
  const { awsOrigin: endpoint, region } = fixture.host.place;
  client = new CloudWatchClient({ endpoint, region, credentials: { accessKeyId: 'any', secretAccessKey: 'any' } });
});
afterAll(async () => {
  client.destroy();
  await fixture.close();
});

async function states(): Promise<Readonly<Record<string, StateValue | undefined>>> {
  const { MetricAlarms = [], CompositeAlarms = [] } = await client.send(
    new DescribeAlarmsCommand({ AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] }),
  );
  return Object.fromEntries([...MetricAlarms, ...CompositeAlarms].map((one) => [one.AlarmName, one.StateValue]));
}

describe('sandbox aws: CloudWatch', () => {
  it('evaluates alarms on what functions write, on their errors and on queues, and what combines alarms', async () => {
    expect(await states()).toEqual({
      orders: 'OK',
      errors: 'OK',
      waiting: 'OK',
      throttles: 'INSUFFICIENT_DATA',
      any: 'OK',
    });
    await fixture.call('orders', { value: 3 });
    now += minute;
    expect(await states()).toMatchObject({ orders: 'ALARM', errors: 'OK', any: 'ALARM' });
    await fixture.failureOf('orders', { fails: true });
    now += minute;
    expect(await states()).toMatchObject({ orders: 'OK', errors: 'ALARM', any: 'ALARM' });
    now += minute;
    expect(await states()).toMatchObject({ orders: 'OK', errors: 'OK', any: 'OK' });
  });
});
