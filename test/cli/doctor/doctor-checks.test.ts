import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { describe, expect, it } from 'vitest';
import { CommandError } from '#cli/command/command-error.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { checkClock } from '#cli/doctor/check-clock.ts';
import { evaluateQueues } from '#cli/doctor/check-queues.ts';
import { evaluateConcurrency } from '#cli/doctor/check-quotas.ts';
import { evaluateSchedule, type ScheduleState } from '#cli/doctor/check-schedules.ts';
import { evaluateSecrets } from '#cli/doctor/check-secrets.ts';
import { checkAlarms, evaluateToken } from '#cli/doctor/checks.ts';
import { runChecks } from '#cli/doctor/findings.ts';

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

describe('cli doctor: runChecks', () => {
  const failing = (next: string) => ({ check: () => Promise.reject(new CommandError('It does not answer.', next)) });

  it('names another remedy than doctor itself', async () => {
    const common = { check: 'check', result: 'unknown', detail: 'It does not answer.' };
    expect(await runChecks(failing('drawbridge doctor'), 'end the outage')).toEqual([
      { ...common, remedy: 'end the outage' },
    ]);
    expect(await runChecks(failing('drawbridge token show'), 'end the outage')).toEqual([
      { ...common, remedy: 'drawbridge token show' },
    ]);
  });

  it('asks for no permission because AWS does not answer', async () => {
    const timeout = Object.assign(new Error('No answer came.'), { name: 'TimeoutError', $metadata: {} });
    const [finding] = await runChecks({ check: () => Promise.reject(timeout) }, 'end the outage');
    expect(finding?.remedy).toContain('check your network');
  });
});

describe('cli doctor: checkAlarms', () => {
  it('asks for every alarm of the stacks, and names those that are on and send notifications', async () => {
    const { deployment, asked } = deploymentWith(['alarm-7', 'alarm-8', 'alarm-149']);
    expect(await checkAlarms(deployment)).toEqual([
      expect.objectContaining({
        result: 'problem',
        detail: expect.stringContaining('alarm-7 has been on since 2026-01-02'),
      }),
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
    expect(evaluate({})).toEqual([]);
    expect(evaluate({ lastRun: undefined, createdOn: ago(14) })).toEqual([]);
    expect(evaluate({ expression: 'rate(1 hour)', lastRun: ago(120) })).toEqual([]);
  });

  it('finds a schedule that is disabled, one whose function does not run, and one of which it knows no rate', () => {
    const disabled = { result: 'problem', detail: expect.stringContaining('disabled') };
    expect(evaluate({ isEnabled: false })).toMatchObject([disabled]);
    const silent = [{ result: 'problem', detail: expect.stringContaining('Drain has not run') }];
    expect(evaluate({ lastRun: ago(16) })).toMatchObject(silent);
    expect(evaluate({ lastRun: undefined })).toMatchObject(silent);
    expect(evaluate({ expression: 'cron(0 3 * * ? *)' })).toMatchObject([{ result: 'unknown' }]);
  });
});

describe('cli doctor: evaluateConcurrency', () => {
  it.each([
    ['good', { account: 1_000, unreserved: 1_000, reserved: 0 }],
    ['problem', { account: 10, unreserved: 10, reserved: 0 }],
    ['problem', { account: 1_000, unreserved: 109, reserved: 891 }],
    ['good', { account: 1_000, unreserved: 110, reserved: 890 }],
  ])('finds %s for Store, Advance and requests in a quota of %j', (result, limits) => {
    expect(evaluateConcurrency({ ...limits, batches: 60 })).toMatchObject([{ result }]);
  });
});

describe('cli doctor: evaluateSecrets', () => {
  const stored = { versionId: 'one', isReplaced: true, storedOn: '2026-01-02T03:04:05.678Z' };
  const rotation = 'No rotation is under way.';

  it('names credentials that were never stored, a header secret without a value, and an unfinished rotation', () => {
    expect(evaluateSecrets({ credentials: stored, header: stored, rotation })).toMatchObject([{ result: 'good' }]);
    const unfinished = 'Both secrets are accepted: not every webhook has the new one yet.';
    expect(
      evaluateSecrets({
        credentials: { ...stored, isReplaced: false },
        header: { ...stored, versionId: undefined },
        rotation: unfinished,
      }),
    ).toMatchObject([
      { result: 'problem', remedy: 'drawbridge credentials set' },
      { result: 'problem', detail: expect.stringContaining('the header secret has no value') },
      { result: 'problem', detail: expect.stringContaining(unfinished), remedy: 'drawbridge webhooks apply' },
    ]);
  });

  it('finds nothing wrong with a rotation that waits for the end of its overlap', () => {
    const overlap = 'Both secrets are accepted: every webhook has had the new one since 2026-01-02T03:04:05.678Z.';
    const found = evaluateSecrets({ credentials: stored, header: stored, rotation: overlap });
    expect(found).toMatchObject([{ result: 'good', detail: expect.stringContaining(overlap) }]);
  });
});

describe('cli doctor: evaluateQueues', () => {
  const queue = (name: 'Webhooks' | 'Onboarding' | 'TokenRefreshes', oldestSeconds: number | null) => ({
    ...{ name, waiting: 3, inFlight: 1, delayed: 0 },
    oldestSeconds,
  });

  it('names a queue whose oldest message waits longer than the alarm allows', () => {
    expect(evaluateQueues([queue('Webhooks', 900), queue('Onboarding', null)])).toEqual([
      { result: 'good', detail: 'Webhooks holds 4 (oldest 15 min), Onboarding holds 4' },
    ]);
    // The alarm TokenRefreshesLate allows 30 minutes.
    expect(evaluateQueues([queue('TokenRefreshes', 1_800)])).toMatchObject([{ result: 'good' }]);
    expect(evaluateQueues([queue('TokenRefreshes', 1_801)])).toMatchObject([{ result: 'problem' }]);
    expect(evaluateQueues([queue('Webhooks', 901), queue('Onboarding', 901)])).toEqual([
      {
        result: 'problem',
        detail: expect.stringContaining('Webhooks holds 4 (oldest 15 min)'),
        remedy: 'drawbridge logs errors-by-function',
      },
    ]);
  });
});

describe('cli doctor: evaluateToken', () => {
  const state = { hasToken: true, versionId: 'one', storedOn: '2026-01-02T03:00:00.000Z' };
  const evaluate = (time: string, expiresOn: string | null) =>
    evaluateToken(state, { ageSeconds: 600, expiresOn }, new Date(time));

  it('shows the age and the expiry, and names a token that has expired', () => {
    const expiresOn = '2026-01-02T04:00:00.000Z';
    expect(evaluate('2026-01-02T03:10:00Z', expiresOn)).toEqual([
      { result: 'good', detail: expect.stringMatching(/\(10 min ago\) and expires on 2026-01-02T04/) },
    ]);
    expect(evaluate('2026-01-02T04:10:00Z', expiresOn)).toMatchObject([
      { result: 'problem', remedy: 'drawbridge token refresh --force' },
    ]);
    expect(evaluate('2026-01-02T03:10:00Z', null)).toMatchObject([
      { result: 'good', detail: expect.stringContaining('not known') },
    ]);
  });
});
