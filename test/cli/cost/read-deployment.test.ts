import { describe, expect, it } from 'vitest';
import { readDeployment } from '#cli/cost/read-deployment.ts';

const at = (path: string) => ({ Metadata: { 'aws:cdk:path': `stack/${path}/Resource` } });

/** Reads a template with these resources. */
function read(...resources: readonly object[]) {
  return readDeployment([
    { Resources: Object.fromEntries(resources.map((resource, index) => [`R${index}`, resource])) },
  ]);
}

describe('readDeployment', () => {
  it('counts every metric of an alarm on an expression, and one for any other alarm', () => {
    const expression = { Metrics: [{ Expression: 'a / b' }, { MetricStat: {} }, { MetricStat: {} }] };
    const { alarmMetrics, compositeAlarms } = read(
      { Type: 'AWS::CloudWatch::Alarm', Properties: { MetricName: 'Errors' } },
      { Type: 'AWS::CloudWatch::Alarm', Properties: expression },
      { Type: 'AWS::CloudWatch::CompositeAlarm' },
    );
    expect({ alarmMetrics, compositeAlarms }).toEqual({ alarmMetrics: 3, compositeAlarms: 1 });
  });

  it('reads functions and schedules by the names of their constructs', () => {
    const { functions, schedules } = read(
      {
        Type: 'AWS::Lambda::Function',
        ...at('Ingest/Receive/Function'),
        Properties: { MemorySize: 512, TracingConfig: { Mode: 'Active' }, LoggingConfig: { SystemLogLevel: 'WARN' } },
      },
      { Type: 'AWS::Scheduler::Schedule', ...at('DrainRuns'), Properties: { ScheduleExpression: 'rate(5 minutes)' } },
    );
    expect(functions).toEqual([{ name: 'receive', memoryGigabytes: 0.5, isTraced: true, logsEachRun: false }]);
    expect(schedules).toEqual([{ name: 'drain-runs', runsPerMonth: 730 * 12 }]);
  });

  it('counts the bytes of a line of the access log without the names of its values', () => {
    const Format = '{"id":"$context.requestId"}';
    const { accessLogBytes } = read({
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: { AccessLogSettings: { Format } },
    });
    expect(accessLogBytes).toBe('{"id":""}'.length + 26 + 26);
  });

  it('names a schedule without a fixed rate', () => {
    const schedule = {
      Type: 'AWS::Scheduler::Schedule',
      ...at('Nightly'),
      Properties: { ScheduleExpression: 'cron(0 3 * * ? *)' },
    };
    expect(() => read(schedule)).toThrow('The schedule nightly has no fixed rate');
  });

  it('names what it has no price for, and counts it', () => {
    const gateway = { Type: 'AWS::EC2::NatGateway' };
    const { notPriced } = read(gateway, gateway, { Type: 'AWS::IAM::Role' });
    expect(notPriced).toEqual({ 'AWS::EC2::NatGateway': 2 });
  });
});
