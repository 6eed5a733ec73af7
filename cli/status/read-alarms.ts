import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { type AlarmText, readAlarmText } from '#shared/alarm-text.ts';

/** CloudWatch names this many alarms in one request. */
const maxAlarmsPerRequest = 100;

/** An alarm that sends notifications, with what its description says. */
export type NotifyingAlarm = AlarmText & {
  readonly name: string;
  /** ISO 8601, in UTC. */
  readonly since: string;
  readonly state: 'ALARM' | 'OK' | 'INSUFFICIENT_DATA';
  /** Why CloudWatch gave it the state. */
  readonly reason: string;
};

export type AlarmThatIsOn = Pick<NotifyingAlarm, 'name' | 'since' | 'part'>;

/**
 * The alarms of the stacks that are on and send notifications. The others are parts and sums of these.
 *
 * @throws what CloudWatch answers with
 */
export async function readAlarmsThatAreOn(
  deployment: Pick<Deployment, 'clients' | 'resources'>,
): Promise<readonly AlarmThatIsOn[]> {
  const found = await readAlarms(deployment, 'ALARM');
  return found.map(({ name, since, part }) => ({ name, since, part }));
}

/** The alarms of the stacks that send notifications. @param StateValue of the alarms; all unless given */
export async function readAlarms(
  { clients, resources }: Pick<Deployment, 'clients' | 'resources'>,
  StateValue?: NotifyingAlarm['state'],
): Promise<readonly NotifyingAlarm[]> {
  const { ofType } = await resources();
  const names = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'].flatMap((type) =>
    ofType(type).map(({ physicalId }) => physicalId),
  );
  const found: NotifyingAlarm[] = [];
  for (let from = 0; from < names.length; from += maxAlarmsPerRequest) {
    const { MetricAlarms = [], CompositeAlarms = [] } = await clients.cloudWatch.send(
      new DescribeAlarmsCommand({
        AlarmNames: names.slice(from, from + maxAlarmsPerRequest),
        AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
        MaxRecords: maxAlarmsPerRequest,
        ...(StateValue !== undefined && { StateValue }),
      }),
    );
    for (const alarm of [...MetricAlarms, ...CompositeAlarms])
      if ((alarm.AlarmActions ?? []).length > 0)
        found.push({
          name: alarm.AlarmName ?? '',
          state: alarm.StateValue ?? 'INSUFFICIENT_DATA',
          since: alarm.StateUpdatedTimestamp?.toISOString() ?? '',
          reason: alarm.StateReason ?? '',
          ...readAlarmText(alarm.AlarmDescription ?? ''),
        });
  }
  return found;
}
