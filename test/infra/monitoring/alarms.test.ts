import { describe, expect, it } from 'vitest';
import { maxRunbookUrlLength } from '#infra/setting-groups.ts';
import { readAlarmText, writeAlarmText } from '#shared/alarm-text.ts';
import { deployedResources, expectProperties } from '#test/infra/deployed-resources.ts';
import { createTrialApp, trialResources } from '#test/infra/shared-trial-apps.ts';
import type { ReadableResource } from '#test/infra/stacks/readable-stack.ts';
import { everySetting } from '#tools/release/every-setting.ts';

// The metric, the threshold, the time and the texts of each alarm are in docs/reference/alarms.md, as the stack deploys them.
const data = deployedResources('data');
const service = deployedResources('service');
const ofType = (type: string) => service.filter(({ Type }) => Type === type);
const alarms = ofType('AWS::CloudWatch::Alarm');
const allComposites = ofType('AWS::CloudWatch::CompositeAlarm');
const composites = allComposites.filter(({ name }) => name !== 'Alarms/AnyAlarm');
const queues = [...data, ...service].filter(({ Type }) => Type === 'AWS::SQS::Queue');
const functions = ofType('AWS::Lambda::Function');

/** What the alarms on a metric of a resource go off at. */
const alarmsOn = (MetricName: string, Value: string) =>
  alarms
    .map(({ Properties }) => Properties)
    .filter(
      (alarm) => alarm['MetricName'] === MetricName && JSON.stringify(alarm['Dimensions']).includes(`"${Value}"`),
    );

describe('an alarm', () => {
  it.each(queues.filter(({ Properties }) => Properties['RedrivePolicy'] === undefined))(
    'goes off at the first message in the dead-letter queue $name (promise 3)',
    ({ name }) => {
      expect(alarmsOn('ApproximateNumberOfMessagesVisible', `<${name}.QueueName>`)).toEqual([
        expect.objectContaining({
          ComparisonOperator: 'GreaterThanThreshold',
          Threshold: 0,
          EvaluationPeriods: 1,
          Statistic: 'Maximum',
        }),
      ]);
    },
  );

  it.each(queues.filter(({ Properties }) => Properties['RedrivePolicy'] !== undefined))(
    'goes off when messages wait in $name',
    ({ name }) => {
      expect(alarmsOn('ApproximateAgeOfOldestMessage', `<${name}.QueueName>`)).toHaveLength(1);
    },
  );

  // An operator invokes replay and sees the error: a typo must not raise an alarm.
  it.each(functions.map(({ name }) => ({ name, count: name === 'WebhookIngest/Replay' ? 0 : 1 })))(
    'goes off at errors of $name in $count alarms',
    ({ name, count }) => {
      expect(alarmsOn('Errors', `<${name}>`)).toHaveLength(count);
    },
  );

  it('sums up messages that fail again and again for longer than any queue hides them between two failures', () => {
    const hidden = queues.map(({ Properties }) => Number(Properties['VisibilityTimeout'] ?? 0));
    const [alarm] = alarms.filter(({ name }) => name === 'Alarms/MessagesFailedRepeatedly');
    expect(alarm?.Properties['Period']).toBeGreaterThan(Math.max(...hidden));
  });

  it('goes off at lost requests, by the dimensions of CloudWatch for a rule of a custom bus', () => {
    const [rule] = service.filter(({ name }) => name === 'Onboarding/Requested');
    expectProperties(service, 'Alarms/RequestsLost', {
      Dimensions: [
        { Name: 'EventBusName', Value: '<Bus>' },
        { Name: 'RuleName', Value: rule?.Properties['Name'] },
      ],
    });
  });

  it('sends no notification of missing data before the environment is configured', () => {
    const onMissingData = alarms.filter(({ Properties }) => Properties['TreatMissingData'] === 'breaching');
    const waiting = composites.map(({ name }) => `${name}Metric`);
    expect(onMissingData.length).toBeGreaterThan(0);
    expect(onMissingData.filter(({ name }) => !waiting.includes(name))).toEqual([]);
    for (const name of waiting) expectProperties(service, name, { AlarmActions: undefined, OKActions: undefined });
  });

  it('says which part of the picture it concerns, but for alarms about alarms, about all queues and about keys', () => {
    const concernsAll = [...alarms.filter((alarm) => !isSilent(alarm)), ...composites].filter(
      ({ Properties }) => readAlarmText(String(Properties['AlarmDescription'])).part === '',
    );
    expect(concernsAll.map(({ name }) => name)).toEqual([
      'Alarms/NotificationsFailed',
      'Alarms/MessagesFailedRepeatedly',
      'Alarms/KeyDisabled',
    ]);
  });

  it('has the name of the environment and its own, which the dashboard shows', () => {
    for (const { name } of [...alarms, ...allComposites])
      expectProperties(service, name, { AlarmName: name.replace('Alarms/', 'drawbridge-laptop-') });
  });
});

const isSilent = ({ name }: ReadableResource) => composites.some((composite) => name === `${composite.name}Metric`);

describe.each([...alarms.filter((alarm) => !isSilent(alarm)), ...composites])(
  'the alarm $name',
  ({ name, Properties }) => {
    const description = String(Properties['AlarmDescription']);

    it('describes its meaning and remedy within the limit of CloudWatch, and names the command that leads to its section', () => {
      const own = name.replace('Alarms/', '');
      const anchor = `#${own.toLowerCase()}`;
      const { runbook, ...text } = readAlarmText(description);
      expect(`${text.means} ${text.fix}`).toMatch(/^[A-Z].{60,}\.$/);
      expect(runbook).toBe(`npx --no -- drawbridge alarms show ${own} --env laptop`);
      expect(writeAlarmText({ ...text, runbook }, 'laptop')).toBe(description);
      for (const command of text.commands) expect(command).toMatch(/^drawbridge [a-z]/);
      const longest = writeAlarmText({ ...text, runbook: anchor }, 'e'.repeat(31));
      expect(longest.length + maxRunbookUrlLength).toBeLessThanOrEqual(1_024);
    });

    it('notifies the topic when it goes off, and at most the topic of its end', () => {
      expectProperties(service, name, { AlarmActions: ['<Alarms/Topic>'], ActionsEnabled: undefined });
      expect([undefined, ['<Alarms/Topic>']]).toContainEqual(Properties['OKActions']);
    });
  },
);

describe('a subscriber to the alarms', () => {
  const isSubscription = ({ Type }: ReadableResource) => Type === 'AWS::SNS::Subscription';
  const { service: subscribed } = trialResources(everySetting);
  const ids = subscribed.filter(isSubscription).map(({ id }) => id);

  it('is in no output and no id, and in no other resource', () => {
    expect(ids).toHaveLength(2);
    const others = subscribed.filter((resource) => !isSubscription(resource));
    const assembly = createTrialApp(everySetting).app.synth();
    const outputs = assembly.stacks.map(({ template }) => template.Outputs);
    expect(JSON.stringify([outputs, others, ids])).not.toMatch(/oncall/i);
  });

  it('keeps its subscription when the setting names the subscribers in another order or twice', () => {
    const [address = '', url = ''] = everySetting.alarmSubscribers ?? [];
    const other = trialResources({ alarmSubscribers: [url, address, url] }).service.filter(isSubscription);
    expect(other.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });
});
