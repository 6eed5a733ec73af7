import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readPricedResources } from '#cli/cost/priced-resources.ts';
import { accessLogLine } from '#sandbox/aws/logs/service-lines.ts';
import { deployedStack, theResource } from '#test/infra/deployed-stack.ts';

const at = (path: string) => ({ Metadata: { 'aws:cdk:path': `stack/${path}/Resource` } });

/** Reads a template with these resources. */
function read(...resources: readonly object[]) {
  return readPricedResources([
    { Resources: Object.fromEntries(resources.map((resource, index) => [`R${index}`, resource])) },
  ]);
}

describe('readPricedResources', () => {
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
    expect(functions).toEqual([{ name: 'receive', gigabytes: 0.5, isTraced: true, logsEachRun: false }]);
    expect(schedules).toEqual([{ name: 'drain-runs', runsPerMonth: 730 * 12 }]);
  });

  it('estimates the bytes of the line of a webhook in the access log within 5%', () => {
    const { Properties } = theResource(deployedStack('service'), 'AWS::ApiGatewayV2::Stage');
    const { Format } = z.object({ Format: z.string() }).parse(Properties['AccessLogSettings']);
    const line = accessLogLine(Format, {
      requestId: 'JKJaXmPLvHcESHA=',
      requestTime: '26/Nov/2026:04:37:40 +0000',
      'identity.sourceIp': '203.0.113.107',
      routeKey: 'POST /webhooks/6f0e2a60-cad1-11f0-8c5e-0a58a9feac02/{eventType}',
      status: 200,
      responseLatency: 21,
    });
    const { accessLogBytes } = readPricedResources([deployedStack('service')]);
    expect(Math.abs(accessLogBytes / (line.length + 26) - 1)).toBeLessThan(0.05);
  });

  it('reads the classes of the events table and of the access log, and the batching window', () => {
    const rare = read(
      { Type: 'AWS::DynamoDB::Table', ...at('Events'), Properties: { TableClass: 'STANDARD_INFREQUENT_ACCESS' } },
      { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: 30, LogGroupClass: 'INFREQUENT_ACCESS' } },
      { Type: 'AWS::Lambda::EventSourceMapping', Properties: { MaximumBatchingWindowInSeconds: 5 } },
    );
    expect(rare).toMatchObject({ areEventsRare: true, isAccessLogRare: true, batchingSeconds: 5 });
    expect(read()).toMatchObject({ areEventsRare: false, isAccessLogRare: false, batchingSeconds: 0 });
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
