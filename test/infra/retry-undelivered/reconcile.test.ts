import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { arnOf, deployedStack, refTo, resolved, resourcesOf, theResource } from '#test/infra/deployed-stack.ts';

const data = deployedStack('data');
const service = deployedStack('service');
const reconcile = theResource(service, 'AWS::Lambda::Function', 'Reconcile');
const schedule = theResource(service, 'AWS::Scheduler::Schedule', 'ReconcileRuns');
const { Timeout, Environment } = z
  .object({ Timeout: z.number(), Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }) })
  .parse(reconcile.Properties);

describe('the schedule of reconcile', () => {
  it('runs reconcile in repair mode every hour', () => {
    expect(schedule.Properties).toMatchObject({ ScheduleExpression: 'rate(1 hour)', State: 'ENABLED' });
    expect(schedule.Properties.Target).toMatchObject({ Arn: arnOf(reconcile), Input: '{"mode":"repair"}' });
  });

  it('starts a run after the timeout of the previous one', () => {
    expect(Timeout).toBeLessThan(3_600);
  });

  it('retries a failed start until the next run, and then keeps a dead letter', () => {
    expect(schedule.Properties.Target).toMatchObject({
      RetryPolicy: { MaximumEventAgeInSeconds: 3_600 },
      DeadLetterConfig: { Arn: arnOf(theResource(service, 'AWS::SQS::Queue', 'MissedRuns')) },
    });
  });

  it('has the name of the function as a stack output for manual runs', () => {
    expect(service.Outputs['ReconcileFunction']).toMatchObject({ Value: refTo(reconcile) });
  });
});

describe('the environment of reconcile', () => {
  it.each([
    ['EVENTS_TABLE', data, 'AWS::DynamoDB::Table', 'Events'],
    ['ENTITIES_TABLE', data, 'AWS::DynamoDB::Table', 'Entities'],
    ['CHECKPOINTS_TABLE', data, 'AWS::DynamoDB::Table', 'Checkpoints'],
    ['QUEUE_URL', data, 'AWS::SQS::Queue', 'Webhooks'],
  ] as const)('refers to the shared resource in %s', (name, stack, type, segment) => {
    expect(resolved(Environment.Variables[name])).toEqual(refTo(theResource(stack, type, segment)));
  });

  it('limits the call rate and the grace period', () => {
    expect(Environment.Variables).toMatchObject({
      CALLS_PER_SECOND: '5',
      GRACE_MINUTES: '15',
      READ_BACK_AFTER_HOURS: '6',
      STALE_AFTER_HOURS: '168',
      REQUESTOR: 'self',
    });
    // The drain fetches an undelivered webhook within two runs of five minutes, plus the duration of a call.
    expect(15 * 60).toBeGreaterThan(2 * 300 + platformProfile.parse({}).deadlines.call / 1_000);
  });
});

describe('the alarms on reconciliation', () => {
  const alarmOn = (MetricName: string) =>
    resourcesOf(service, 'AWS::CloudWatch::Alarm').filter(({ Properties }) => Properties.MetricName === MetricName);

  it('fire at the first drift', () => {
    expect(alarmOn('DriftFound')).toMatchObject([
      { Properties: { Threshold: 0, EvaluationPeriods: 1, Period: 3_600, Statistic: 'Sum' } },
    ]);
  });

  it('fire after a day without a complete walk, even without data', () => {
    expect(alarmOn('ReconciliationsCompleted')).toMatchObject([
      {
        Properties: {
          ComparisonOperator: 'LessThanThreshold',
          Threshold: 1,
          Statistic: 'SampleCount',
          Period: 86_400,
          TreatMissingData: 'breaching',
        },
      },
    ]);
  });
});
