import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { describe, expect, it } from 'vitest';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { checkAlarms } from '#cli/doctor/check-alarms.ts';
import { checkClock } from '#cli/doctor/check-clock.ts';
import { evaluateConcurrency } from '#cli/doctor/check-quotas.ts';
import { evaluateSchedule, type ScheduleState } from '#cli/doctor/check-schedules.ts';

/** A deployment with 150 alarms, of which CloudWatch says that these are on. */
function deploymentWith(on: readonly string[]) {
  const asked: number[] = [];
  const send: unknown = async ({ input }: { readonly input: { readonly AlarmNames: readonly string[] } }) => {
    asked.push(input.AlarmNames.length);
    const StateUpdatedTimestamp = new Date('2026-01-02T03:04:05.678Z');
    const MetricAlarms = input.AlarmNames.filter((name) => on.includes(name)).map((AlarmName) => ({
      AlarmName,
      AlarmActions: AlarmName === 'alarm-8' ? [] : ['arn:aws:sns:eu-central-1:111122223333:topic'],
      StateUpdatedTimestamp,
    }));
    return { MetricAlarms };
  };
  const alarms = Array.from({ length: 150 }, (_, index) => ({ physicalId: `alarm-${index}` }));
  const deployment = {
    clients: { cloudWatch: { send: send as CloudWatchClient['send'] } },
    resources: async () => ({ ofType: (type: string) => (type === 'AWS::CloudWatch::Alarm' ? alarms : []) }),
    outputs: new Map([['ApiUrl', 'https://api.example.org']]),
  } as unknown as Deployment;
  return { deployment, asked };
}

describe('cli doctor: checkAlarms', () => {
  it('asks for every alarm of the stacks, and names those that are on and send notifications', async () => {
    const { deployment, asked } = deploymentWith(['alarm-7', 'alarm-8', 'alarm-149']);
    expect(await checkAlarms(deployment)).toEqual([
      expect.objectContaining({ result: 'problem', detail: expect.stringContaining('alarm-7 is on since 2026-01-02') }),
      expect.objectContaining({ result: 'problem', detail: expect.stringContaining('alarm-149') }),
    ]);
    expect(asked).toEqual([100, 50]);
    expect(await checkAlarms(deploymentWith([]).deployment)).toMatchObject([{ result: 'good' }]);
  });
});

describe('cli doctor: checkClock', () => {
  it('compares the clock with the date of the API', async () => {
    const fetch = async () => new Response(null, { headers: { date: 'Fri, 02 Jan 2026 03:04:05 GMT' } });
    const { deployment } = deploymentWith([]);
    const at = (time: string) => checkClock(deployment, { fetch, now: () => new Date(time) });
    expect(await at('2026-01-02T03:04:15Z')).toMatchObject([{ result: 'good' }]);
    expect(await at('2026-01-02T03:14:05Z')).toMatchObject([
      { result: 'problem', detail: expect.stringContaining('600 s') },
    ]);
  });
});

describe('cli doctor: evaluateSchedule', () => {
  const minute = 60_000;
  const now = new Date('2026-01-02T03:00:00Z');
  const ago = (minutes: number) => new Date(now.getTime() - minutes * minute);
  const drain: ScheduleState = {
    name: 'DrainRuns',
    isEnabled: true,
    expression: 'rate(5 minutes)',
    createdOn: ago(1_000),
    lastRun: ago(3),
  };
  const evaluate = (change: Partial<ScheduleState>) =>
    evaluateSchedule({ ...drain, ...change }, { now, late: 5 * minute });

  it('finds nothing while the function runs when it is due, or the schedule is new', () => {
    expect(evaluate({})).toBeUndefined();
    expect(evaluate({ lastRun: undefined, createdOn: ago(14) })).toBeUndefined();
    expect(evaluate({ expression: 'rate(1 hour)', lastRun: ago(120) })).toBeUndefined();
  });

  it('finds a schedule that is disabled, one whose function does not run, and one of which it knows no rate', () => {
    expect(evaluate({ isEnabled: false })).toMatchObject({
      result: 'problem',
      detail: expect.stringContaining('disabled'),
    });
    const silent = { result: 'problem', detail: expect.stringContaining('Drain has not run') };
    expect(evaluate({ lastRun: ago(16) })).toMatchObject(silent);
    expect(evaluate({ lastRun: undefined })).toMatchObject(silent);
    expect(evaluate({ expression: 'cron(0 3 * * ? *)' })).toMatchObject({ result: 'unknown' });
  });
});

describe('cli doctor: evaluateConcurrency', () => {
  it('finds a quota that is too small for Store, Advance and requests, such as that of a new account', () => {
    const limits = { account: 1_000, unreserved: 1_000, reserved: 0, batches: 60 };
    expect(evaluateConcurrency(limits)).toMatchObject({ result: 'good' });
    expect(evaluateConcurrency({ ...limits, account: 10, unreserved: 10 })).toMatchObject({ result: 'problem' });
    expect(evaluateConcurrency({ ...limits, unreserved: 109, reserved: 891 })).toMatchObject({ result: 'problem' });
    expect(evaluateConcurrency({ ...limits, unreserved: 110, reserved: 890 })).toMatchObject({ result: 'good' });
  });
});
