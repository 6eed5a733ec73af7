import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { type DeployRun, until } from '#tools/deploy/deploy-run.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { callApi } from '#tools/deploy/signed-api.ts';

/** In milliseconds: CloudWatch evaluates a composite alarm within seconds of its parts. */
const alarmDeadline = 120_000;

const composites = z.object({
  CompositeAlarms: z.array(z.object({ AlarmName: z.string(), AlarmRule: z.string(), StateValue: z.string() })),
});

/**
 * Which state of each alarm makes the rule of a waiting alarm true. The rule is a conjunction, as Alarms writes it.
 *
 * @returns the states by the name of the alarm
 */
export function statesFor(rule: string): Readonly<Record<string, 'ALARM' | 'OK'>> {
  const parts = rule.matchAll(/\b(ALARM|OK|INSUFFICIENT_DATA)\("?([^")]+)"?\)/g);
  return Object.fromEntries(
    [...parts].map(([, state, alarm = '']) => [alarm.split(':').at(-1) ?? '', state === 'ALARM' ? 'ALARM' : 'OK']),
  );
}

/** Each composite alarm that waits goes off with its parts, and ends with them. */
export async function changeCompositeAlarms(deployment: DeployRun): Promise<string> {
  const { aws, environment } = deployment;
  const prefix = `drawbridge-${environment}-`;
  const read = async () => {
    const options = ['--alarm-types', 'CompositeAlarm', '--alarm-name-prefix', prefix];
    return (await aws.read(composites, 'cloudwatch', 'describe-alarms', ...options)).CompositeAlarms;
  };
  const waiting = (await read()).filter(({ AlarmName }) => AlarmName !== `${prefix}AnyAlarm`);
  if (waiting.length === 0) throw new DeploymentError('The service stack has no composite alarm that waits.');
  const become = (name: string, state: string) => async () =>
    (await read()).some(({ AlarmName, StateValue }) => AlarmName === name && StateValue === state);
  for (const { AlarmName, AlarmRule } of waiting) {
    const states = statesFor(AlarmRule);
    const set = async (name: string, state: string) => {
      const reason = ['--state-reason', 'verify:deploy'];
      await aws.run('cloudwatch', 'set-alarm-state', '--alarm-name', name, '--state-value', state, ...reason);
    };
    // Metric alarms evaluate each minute, and take the state back.
    const setAll = async (toAlarm: 'ALARM' | 'OK') => {
      for (const [name, state] of Object.entries(states)) await set(name, state === 'ALARM' ? toAlarm : state);
    };
    for (const state of ['ALARM', 'OK'] as const)
      await until(
        `${AlarmName} is ${state}`,
        async () => {
          await setAll(state);
          await wait(2_000);
          return become(AlarmName, state)();
        },
        alarmDeadline,
      );
  }
  return `${waiting.length} composite alarms went off and ended: ${waiting.map(({ AlarmName }) => AlarmName).join(', ')}`;
}

/** The throttle of each route of the queries that the run deploys. */
export const queryThrottle = { rate: 20, burst: 20 } as const;

const requests = 300;

/** More requests at once than a route takes: the rest gets 429, and a later request is answered. */
export async function exceedThrottle(deployment: DeployRun): Promise<string> {
  const ask = async () => (await callApi(deployment, { path: '/quarantine' })).status;
  const statuses = await Promise.all(Array.from({ length: requests }, ask));
  const throttled = statuses.filter((status) => status === 429).length;
  const answered = statuses.filter((status) => status === 200).length;
  if (throttled === 0 || throttled + answered !== requests)
    throw new DeploymentError(`Of ${requests} requests at once ${answered} got 200, and ${throttled} got 429.`);
  await until('The API answers again', async () => (await ask()) === 200);
  return `${requests} requests at once: ${answered} got 200, ${throttled} got 429, and later ones 200`;
}
