import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import type { Deployment } from '#cli/deployment/deployment.ts';

/** CloudWatch names this many alarms in one request. */
const maxAlarmsPerRequest = 100;

export type AlarmThatIsOn = {
  readonly name: string;
  /** ISO 8601, in UTC. */
  readonly since: string;
};

/**
 * The alarms of the stacks that are on and send notifications. The others are parts and sums of these.
 *
 * @throws what CloudWatch answers with
 */
export async function readAlarmsThatAreOn({
  clients,
  resources,
}: Pick<Deployment, 'clients' | 'resources'>): Promise<readonly AlarmThatIsOn[]> {
  const { ofType } = await resources();
  const names = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'].flatMap((type) =>
    ofType(type).map(({ physicalId }) => physicalId),
  );
  const found: AlarmThatIsOn[] = [];
  for (let from = 0; from < names.length; from += maxAlarmsPerRequest) {
    const { MetricAlarms = [], CompositeAlarms = [] } = await clients.cloudWatch.send(
      new DescribeAlarmsCommand({
        AlarmNames: names.slice(from, from + maxAlarmsPerRequest),
        AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
        StateValue: 'ALARM',
      }),
    );
    for (const { AlarmName: name = '', AlarmActions = [], StateUpdatedTimestamp } of [
      ...MetricAlarms,
      ...CompositeAlarms,
    ])
      if (AlarmActions.length > 0) found.push({ name, since: StateUpdatedTimestamp?.toISOString() ?? '' });
  }
  return found;
}
