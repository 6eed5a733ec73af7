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

describe('issue 6: reconciliation by schedule', () => {
  it('repairs, every hour', () => {
    expect(schedule.Properties).toMatchObject({ ScheduleExpression: 'rate(1 hour)', State: 'ENABLED' });
    expect(schedule.Properties.Target).toMatchObject({ Arn: arnOf(reconcile), Input: '{"mode":"repair"}' });
  });

  it('is over before the next run begins', () => {
    expect(Timeout).toBeLessThan(3_600);
  });

  it('is tried again until the next run is due, and is then a dead letter', () => {
    expect(schedule.Properties.Target).toMatchObject({
      RetryPolicy: { MaximumEventAgeInSeconds: 3_600 },
      DeadLetterConfig: { Arn: arnOf(theResource(service, 'AWS::SQS::Queue', 'MissedRuns')) },
    });
  });

  it('can be invoked by hand: its name is an output', () => {
    expect(service.Outputs['ReconcileFunction']).toMatchObject({ Value: refTo(reconcile) });
  });
});

describe('issue 6: reconcile reads where the others write', () => {
  it.each([
    ['EVENTS_TABLE', data, 'AWS::DynamoDB::Table', 'Events'],
    ['ENTITIES_TABLE', data, 'AWS::DynamoDB::Table', 'Entities'],
    ['CHECKPOINTS_TABLE', data, 'AWS::DynamoDB::Table', 'Checkpoints'],
    ['QUEUE_URL', service, 'AWS::SQS::Queue', 'Webhooks'],
  ] as const)('%s', (name, stack, type, segment) => {
    expect(resolved(Environment.Variables[name])).toEqual(refTo(theResource(stack, type, segment)));
  });

  it('with limits: a page a fifth of a second at the fastest, and an hour of grace at the most', () => {
    expect(Environment.Variables).toMatchObject({
      CALLS_PER_SECOND: '5',
      GRACE_MINUTES: '15',
      READ_BACK_AFTER_HOURS: '6',
      STALE_AFTER_HOURS: '168',
      REQUESTOR: 'self',
    });
    // An undelivered webhook is drained within two runs of five minutes, and a call may take its time.
    expect(15 * 60).toBeGreaterThan(2 * 300 + platformProfile.parse({}).deadlines.call / 1_000);
  });
});

describe('issue 6: what reconciliation finds calls for a hand', () => {
  const alarmOn = (MetricName: string) =>
    resourcesOf(service, 'AWS::CloudWatch::Alarm').filter(({ Properties }) => Properties.MetricName === MetricName);

  it('drift, at the first one', () => {
    expect(alarmOn('DriftFound')).toMatchObject([
      { Properties: { Threshold: 0, EvaluationPeriods: 1, Period: 3_600, Statistic: 'Sum' } },
    ]);
  });

  it('a day without a whole walk, also where nothing is measured', () => {
    expect(alarmOn('ReconciliationsCompleted')).toMatchObject([
      {
        Properties: {
          ComparisonOperator: 'LessThanThreshold',
          Threshold: 1,
          Period: 86_400,
          TreatMissingData: 'breaching',
        },
      },
    ]);
  });
});
