import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { readTokenState } from '#cli/token/token-state.ts';
import type { Finding } from './findings.ts';

type Found = readonly Omit<Finding, 'check'>[];

/** Whether there is a platform token, and when it was stored. */
export async function checkToken(deployment: Deployment): Promise<Found> {
  const { hasToken, storedOn } = await readTokenState(deployment);
  if (hasToken) return [{ result: 'good', detail: `the platform token was stored on ${storedOn}` }];
  return [{ result: 'problem', detail: 'there is no platform token', remedy: 'drawbridge credentials set' }];
}

/** CloudWatch names this many alarms in one request. */
const maxAlarmsPerRequest = 100;

/** The alarms of the stacks that are on. The laptop evaluates no alarm. */
export async function checkAlarms({ clients, resources }: Deployment): Promise<Found> {
  const { ofType } = await resources();
  const names = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'].flatMap((type) =>
    ofType(type).map(({ physicalId }) => physicalId),
  );
  const found: Omit<Finding, 'check'>[] = [];
  for (let from = 0; from < names.length; from += maxAlarmsPerRequest) {
    const { MetricAlarms = [], CompositeAlarms = [] } = await clients.cloudWatch.send(
      new DescribeAlarmsCommand({
        AlarmNames: names.slice(from, from + maxAlarmsPerRequest),
        AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
        StateValue: 'ALARM',
      }),
    );
    for (const { AlarmName = '', StateUpdatedTimestamp } of [...MetricAlarms, ...CompositeAlarms])
      found.push({
        result: 'problem',
        detail: `the alarm ${AlarmName} is on since ${StateUpdatedTimestamp?.toISOString()}`,
        remedy: 'Follow its section in docs/reference/alarms.md.',
      });
  }
  return found.length > 0 ? found : [{ result: 'good', detail: `none of ${names.length} alarms is on` }];
}

/** In milliseconds: AWS refuses a signature whose time is 5 minutes off, and tokens expire by this clock. */
const maxSkew = 60_000;

/** Whether this machine and the API agree on the time. The laptop has a clock of its own. */
export async function checkClock(
  { outputs }: Deployment,
  { fetch, now }: { fetch: typeof globalThis.fetch; now: () => Date },
): Promise<Found> {
  // Unsigned, so that the answer is 403. Its date is all that is read.
  const answer = await fetch(`${outputs.get('ApiUrl')}/quarantine`);
  const date = answer.headers.get('date');
  if (date === null) return [{ result: 'unknown', detail: 'the API sent no date' }];
  const skew = Math.round((now().getTime() - Date.parse(date)) / 1_000);
  if (Math.abs(skew) * 1_000 <= maxSkew)
    return [{ result: 'good', detail: `the clock is ${skew} s apart from that of AWS` }];
  return [
    {
      result: 'problem',
      detail: `the clock of this machine is ${skew} s apart from that of AWS`,
      remedy: 'Synchronize the clock of this machine.',
    },
  ];
}
