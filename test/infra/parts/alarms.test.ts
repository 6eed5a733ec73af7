import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { alarmsPage } from '#infra/parts/alarms.ts';
import { maxRunbookUrlLength } from '#infra/setting-groups.ts';
import { metricsNamespace } from '#shared/lambda/metrics.ts';
import {
  arnOf,
  type Deployed,
  deployedEnvironment,
  deployedStack,
  pathOf,
  refTo,
  resolved,
  resourcesOf,
  theResource,
} from '#test/infra/deployed-stack.ts';
import { statementsIn } from '#test/infra/policy-statements.ts';
import { createTrialApp } from '#test/infra/trial-app.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';

const data = deployedStack('data');
const service = deployedStack('service');
const key = theResource(data, 'AWS::KMS::Key');
const topic = theResource(service, 'AWS::SNS::Topic');
const alarms = resourcesOf(service, 'AWS::CloudWatch::Alarm');
const queues = [data, service].flatMap((stack) => resourcesOf(stack, 'AWS::SQS::Queue'));
const nameOf = (resource: Deployed) => pathOf(resource).at(-2);

const ofSchedule = z.object({ DeadLetterConfig: z.object({ Arn: z.unknown() }) });
const ofSchedules = resourcesOf(service, 'AWS::Scheduler::Schedule').map(
  ({ Properties }) => ofSchedule.parse(Properties.Target).DeadLetterConfig.Arn,
);
const redrive = z.object({ deadLetterTargetArn: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) }) });
const ofQueues = queues.flatMap(({ Properties }) => {
  const policy = redrive.safeParse(Properties.RedrivePolicy);
  return policy.success ? [policy.data.deadLetterTargetArn] : [];
});
const deadLetterQueues = queues
  .filter((queue) => [...ofQueues, ...ofSchedules].some((arn) => JSON.stringify(arn) === JSON.stringify(arnOf(queue))))
  .map(({ id }) => id);

/** A line in the embedded metric format. */
const writtenMetrics = z.object({
  _aws: z.object({
    CloudWatchMetrics: z.tuple([z.object({ Namespace: z.string(), Dimensions: z.tuple([z.array(z.string())]) })]),
  }),
});

const dimensions = z.array(z.object({ Name: z.string(), Value: z.unknown() }));

/** Dimensions that refer to a resource of the data stack as that stack does. */
function withoutImports(property: unknown): unknown {
  const { data: found } = dimensions.safeParse(property);
  return found?.map(({ Name, Value }) => ({ Name, Value: resolved(Value) })) ?? property;
}

function alarmsOn(metric: Record<string, unknown>): readonly Deployed[] {
  return alarms.filter(({ Properties }) =>
    Object.entries(metric).every(
      ([name, value]) => JSON.stringify(withoutImports(Properties[name])) === JSON.stringify(value),
    ),
  );
}

describe('the dead-letter queues (promise 3)', () => {
  it('exist in the deployed stack', () => {
    expect(deadLetterQueues).toHaveLength(5);
  });

  it('cover each queue that is not a dead-letter queue', () => {
    const withRedrive = queues.filter(({ Properties }) => Properties.RedrivePolicy !== undefined).map(({ id }) => id);
    expect(new Set([...withRedrive, ...deadLetterQueues])).toEqual(new Set(queues.map(({ id }) => id)));
  });

  it.each(deadLetterQueues)('raise an alarm at the first message in %s', (id) => {
    const [alarm] = alarmsOn({
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [id, 'QueueName'] } }],
    });
    expect(alarm?.Properties).toMatchObject({
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: 0,
      EvaluationPeriods: 1,
      Statistic: 'Maximum',
    });
  });
});

describe('the alarms on failures', () => {
  /** Functions that an operator invokes synchronously. The operator sees the error, so that a typo must not raise an alarm. */
  const invokedByHand = 'Replay';
  const functions = resourcesOf(service, 'AWS::Lambda::Function')
    .map((lambda) => ({ name: pathOf(lambda).at(-3), lambda }))
    .filter(({ name }) => name !== invokedByHand);

  it('include the first delivery from outside the source ranges, with a remedy', () => {
    const [alarm] = alarmsOn({ Namespace: 'Drawbridge', MetricName: 'DeliveriesOutOfRange' });
    expect(alarm?.Properties).toMatchObject({ Threshold: 0, EvaluationPeriods: 1, Period: 60, Statistic: 'Sum' });
    expect(alarm?.Properties['AlarmDescription']).toMatch(/correct webhookSources in the settings file and deploy/);
  });

  it.each(functions)('include an error of the function $name', ({ lambda }) => {
    const dimensions = [{ Name: 'FunctionName', Value: refTo(lambda) }];
    expect(alarmsOn({ Namespace: 'AWS/Lambda', MetricName: 'Errors', Dimensions: dimensions })).toHaveLength(1);
  });

  it('exclude functions that an operator invokes', () => {
    const { id } = theResource(service, 'AWS::Lambda::Function', invokedByHand);
    expect(alarms.filter((alarm) => JSON.stringify(alarm).includes(id))).toEqual([]);
  });

  it('include webhooks that are answered with 5xx', () => {
    const dimensions = [{ Name: 'ApiId', Value: refTo(theResource(service, 'AWS::ApiGatewayV2::Api')) }];
    expect(alarmsOn({ Namespace: 'AWS/ApiGateway', MetricName: '5xx', Dimensions: dimensions })).toHaveLength(1);
  });

  it('include webhooks that wait in the queue', () => {
    const queue = theResource(data, 'AWS::SQS::Queue', 'Webhooks');
    const dimensions = [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [queue.id, 'QueueName'] } }];
    expect(alarmsOn({ MetricName: 'ApproximateAgeOfOldestMessage', Dimensions: dimensions })).toHaveLength(1);
  });

  it('include messages that fail again and again, for as long as any queue hides them between two failures', () => {
    const [alarm] = alarmsOn({ Namespace: metricsNamespace, MetricName: 'MessagesFailedRepeatedly' });
    const { Period } = z.object({ Period: z.number() }).parse(alarm?.Properties);
    expect(alarm?.Properties).toMatchObject({ Threshold: 0, EvaluationPeriods: 1, Statistic: 'Sum' });
    const hidden = queues.map(({ Properties }) => Number(Properties.VisibilityTimeout ?? 0));
    expect(Period).toBeGreaterThan(Math.max(...hidden));
  });

  it('include quarantined events, by the metric that the functions write', () => {
    const { Environment } = z
      .object({ Environment: z.object({ Variables: z.object({ ENVIRONMENT: z.string() }) }) })
      .parse(theResource(service, 'AWS::Lambda::Function', 'Wake').Properties);
    const { metrics, objects } = captureLines(undefined, Environment.Variables.ENVIRONMENT);
    metrics.measure('EventsNowQuarantined', 1);
    metrics.flush();
    const [{ Namespace, Dimensions }] = writtenMetrics.parse(objects()[0])._aws.CloudWatchMetrics;
    const [dimensions] = Dimensions;
    const [alarm] = alarmsOn({ MetricName: 'EventsNowQuarantined', Namespace });
    expect(alarm?.Properties).toMatchObject({
      Statistic: 'Maximum',
      Threshold: 0,
      Dimensions: dimensions.map((Name) => ({ Name, Value: objects()[0]?.[Name] })),
    });
    expect(dimensions).toHaveLength(1);
    expect(alarm?.Properties.AlarmDescription).toMatch(
      /Run drawbridge quarantine ls: .* run drawbridge quarantine replay\./,
    );
  });
});

describe('the alarms on registrations', () => {
  const only = (MetricName: string) => {
    const [alarm, ...others] = alarmsOn({ MetricName, Namespace: metricsNamespace });
    expect(others).toEqual([]);
    return alarm?.Properties;
  };

  it.each(['RegistrationsMissing', 'RegistrationsDrifted', 'RegistrationsForeign'])(
    'raise %s at the first run with a finding',
    (name) => {
      expect(only(name)).toMatchObject({ Period: 300, EvaluationPeriods: 1, Threshold: 0, Statistic: 'Maximum' });
    },
  );

  it('raise RegistrationsFailed when no run of half an hour can repair them', () => {
    expect(only('RegistrationsFailed')).toMatchObject({ Period: 300, EvaluationPeriods: 6, Threshold: 0 });
  });
});

describe('the alarms on onboardings', () => {
  it.each(['OnboardingsNowStopped', 'OnboardingsNowStalled'])('raise %s at the first onboarding', (MetricName) => {
    const [alarm, ...others] = alarmsOn({ MetricName, Namespace: metricsNamespace });
    expect(others).toEqual([]);
    expect(alarm?.Properties).toMatchObject({ EvaluationPeriods: 1, Period: 300, Statistic: 'Maximum', Threshold: 0 });
  });

  it('include onboardings that wait in the queue', () => {
    const [queue] = queues.filter((one) => nameOf(one) === 'Onboarding');
    const dimensions = [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [queue?.id, 'QueueName'] } }];
    expect(alarmsOn({ MetricName: 'ApproximateAgeOfOldestMessage', Dimensions: dimensions })).toHaveLength(1);
  });
});

describe('the alarms on onboarding requests from the bus', () => {
  const rule = theResource(service, 'AWS::Events::Rule', 'Requested');

  it('include requests that wait in the queue', () => {
    const queue = theResource(data, 'AWS::SQS::Queue', 'Requests');
    const dimensions = [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [queue.id, 'QueueName'] } }];
    expect(alarmsOn({ MetricName: 'ApproximateAgeOfOldestMessage', Dimensions: dimensions })).toHaveLength(1);
  });

  it('include lost requests, by the dimensions of CloudWatch for a rule of a custom bus', () => {
    const [alarm] = alarmsOn({ Namespace: 'AWS/Events', MetricName: 'InvocationsFailedToBeSentToDlq' });
    const [bus, name] = z
      .tuple([
        z.object({ Name: z.literal('EventBusName'), Value: z.unknown() }),
        z.object({ Name: z.literal('RuleName'), Value: z.unknown() }),
      ])
      .parse(alarm?.Properties.Dimensions);
    expect(resolved(bus.Value)).toEqual(refTo(theResource(data, 'AWS::Events::EventBus')));
    expect(name.Value).toEqual(rule.Properties.Name);
  });
});

describe('the alarms on undelivered webhooks', () => {
  const only = (MetricName: string) => {
    const [alarm, ...others] = alarmsOn({ MetricName, Namespace: metricsNamespace });
    expect(others).toEqual([]);
    return alarm?.Properties;
  };

  it('raise OldestUndeliveredAge above an hour, because a mark takes two runs', () => {
    expect(only('OldestUndeliveredAge')).toMatchObject({ Period: 300, Threshold: 3_600, Statistic: 'Maximum' });
  });

  it('raise UndeliveredFound when no run reports the metric, which runs report even for an empty list', () => {
    expect(only('UndeliveredFound')).toMatchObject({
      ComparisonOperator: 'LessThanThreshold',
      EvaluationPeriods: 3,
      Period: 300,
      Statistic: 'SampleCount',
      Threshold: 1,
      TreatMissingData: 'breaching',
    });
  });

  it('fire within 15 minutes of the first refused mark and name the setting of its path', () => {
    expect(only('UndeliveredMarksRefused')).toMatchObject({
      // The run after the refused one measures 2.
      Threshold: 1,
      Period: 300,
      EvaluationPeriods: 1,
      Statistic: 'Maximum',
      AlarmDescription: expect.stringContaining('platformProfile.webhookPaths.markDelivered'),
    });
  });

  it('fire after an hour in which our webhooks wait behind those of another system', () => {
    expect(only('UndeliveredBehindForeign')).toMatchObject({
      Threshold: 0,
      Period: 900,
      EvaluationPeriods: 4,
      Statistic: 'Maximum',
      AlarmDescription: expect.stringContaining('formerWebhooksUrls'),
    });
  });

  it('raise UndeliveredLate at the first record that is listed after newer ones were marked', () => {
    expect(only('UndeliveredLate')).toMatchObject({ EvaluationPeriods: 1, Statistic: 'Sum', Threshold: 0 });
  });
});

describe('the alarms on the platform token', () => {
  const only = (MetricName: string) => {
    const [alarm] = alarmsOn({ MetricName, Namespace: metricsNamespace });
    return alarm?.Properties;
  };

  it('fire when the token has 25 minutes left, because a token of an hour keeps at least 30', () => {
    expect(only('TokenSecondsLeft')).toMatchObject({ ComparisonOperator: 'LessThanThreshold', Threshold: 1_500 });
  });

  it('fire within ten minutes without a measurement, because the refresher does not run', () => {
    expect(only('TokenSecondsLeft')).toMatchObject({
      Period: 300,
      EvaluationPeriods: 2,
      Statistic: 'Maximum',
      TreatMissingData: 'breaching',
    });
  });

  it('fire earlier when refreshes have failed for 15 minutes', () => {
    expect(only('TokenRefreshesFailed')).toMatchObject({
      Statistic: 'Sum',
      Threshold: 0,
      Period: 300,
      EvaluationPeriods: 3,
    });
  });
});

const allComposites = resourcesOf(service, 'AWS::CloudWatch::CompositeAlarm');
/** Without the one that sums up all alarms for the dashboard. */
const composites = allComposites.filter(({ Properties }) => Properties['AlarmActions'] !== undefined);
const conditionsOf = ({ Properties }: Deployed) => JSON.stringify(Properties['AlarmRule']);
/** The alarms on a metric that only a composite alarm reads. */
const silent = alarms.filter(({ id }) => composites.some((composite) => conditionsOf(composite).includes(`"${id}"`)));
const notConfigured = alarms.find((alarm) => nameOf(alarm) === 'NotConfigured');
const notifying = [...alarms.filter((alarm) => alarm === notConfigured || !silent.includes(alarm)), ...composites];

describe.each(notifying.map((alarm) => ({ name: nameOf(alarm), alarm })))('the alarm $name', ({ alarm }) => {
  it('describes its meaning and remedy in sentences and names its section of the runbook', () => {
    expect(alarm.Properties.AlarmDescription).toMatch(/^[A-Z].{60,}\. Runbook: docs\/reference\/alarms\.md#[a-z]+$/);
  });

  it('has a description of at most 1,024 characters, the limit of CloudWatch, with any runbookUrl', () => {
    const [texts = ''] = String(alarm.Properties.AlarmDescription).split(alarmsPage);
    const anchor = `#${nameOf(alarm)}`;
    expect(texts.length + maxRunbookUrlLength + anchor.length).toBeLessThanOrEqual(1_024);
  });

  it('notifies the topic when it fires, and of its end unless it is on a single event', () => {
    expect(alarm.Properties).toMatchObject({ AlarmActions: [refTo(topic)] });
    expect([undefined, [refTo(topic)]]).toContainEqual(alarm.Properties['OKActions']);
    expect(alarm.Properties).not.toHaveProperty('ActionsEnabled');
  });
});

describe('the alarms on CloudWatch', () => {
  it('have the name of the environment and their own, which the dashboard shows', () => {
    for (const alarm of [...alarms, ...allComposites])
      expect(alarm.Properties['AlarmName']).toBe(`drawbridge-${deployedEnvironment()}-${nameOf(alarm)}`);
  });
});

describe('the alarms that stay off until the environment is configured', () => {
  const waiting = composites.filter((composite) => nameOf(composite) !== 'GaugesMissing');

  it('are those on missing data, and on registrations that the first run makes', () => {
    const names = ['DrainSilent', 'ReconcileSilent', 'RegistrationsMissing', 'TokenRunsOut'];
    expect(waiting.map(nameOf).toSorted()).toEqual(names);
    const onMissingData = alarms.filter(({ Properties }) => Properties.TreatMissingData === 'breaching');
    expect(onMissingData.length).toBeGreaterThan(0);
    expect(onMissingData.filter((alarm) => !silent.includes(alarm))).toEqual([]);
  });

  it.each(waiting.map((composite) => ({ name: nameOf(composite), composite })))(
    'include $name, which needs its metric and the end of NotConfigured',
    ({ name, composite }) => {
      const onMetric = alarms.find((alarm) => nameOf(alarm) === `${name}Metric`);
      expect(composite.Properties['AlarmRule']).toEqual({
        'Fn::Join': [
          '',
          [
            '(ALARM("',
            { 'Fn::GetAtt': [onMetric?.id, 'Arn'] },
            '") AND OK("',
            { 'Fn::GetAtt': [notConfigured?.id, 'Arn'] },
            '"))',
          ],
        ],
      });
      expect(onMetric?.Properties).not.toHaveProperty('AlarmActions');
    },
  );

  it('begin once the credentials are stored and the first registrations are over', () => {
    expect(notConfigured?.Properties).toMatchObject({
      MetricName: 'CredentialsMissing',
      Period: 1_800,
      EvaluationPeriods: 1,
      Threshold: 0,
      Statistic: 'Maximum',
    });
  });
});

describe('the topic of the alarms', () => {
  const [policy] = resourcesOf(service, 'AWS::SNS::TopicPolicy');
  const topicStatements = statementsIn(policy?.Properties.PolicyDocument);

  it('is encrypted with the key of the data stack', () => {
    expect(resolved(topic.Properties.KmsMasterKeyId)).toEqual(arnOf(key));
  });

  it('lets CloudWatch use the key', () => {
    const actions = statementsIn(key.Properties.KeyPolicy)
      .filter(({ Principal }) => JSON.stringify(Principal) === '{"Service":"cloudwatch.amazonaws.com"}')
      .flatMap(({ Action }) => Action);
    expect(actions).toEqual(expect.arrayContaining(['kms:Decrypt', 'kms:GenerateDataKey*']));
  });

  it('refuses to publish without TLS', () => {
    expect(topicStatements).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
  });

  it('lets CloudWatch publish, because its policy replaces the default one', () => {
    expect(topicStatements).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: ['sns:Publish'],
        Resource: [refTo(topic)],
      }),
    );
  });
});

const withEndpoint = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: z.looseObject({}).optional() })),
  Outputs: z.record(z.string(), z.unknown()),
});

describe('the subscribers to the alarms', () => {
  const address = 'oncall@trial.example';
  const subscribed = (alarmSubscribers: readonly string[]) => {
    const { service } = createTrialApp({ alarmSubscribers });
    const { Resources, Outputs } = withEndpoint.parse(Template.fromStack(service).toJSON());
    const all = Object.entries(Resources);
    return { Outputs, others: all.filter(([, { Type }]) => Type !== subscription), ids: idsOf(all) };
  };
  const subscription = 'AWS::SNS::Subscription';
  const idsOf = (resources: readonly (readonly [string, { readonly Type: string }])[]) =>
    resources.filter(([, { Type }]) => Type === subscription).map(([id]) => id);

  it('are in no output and no id, and in no other resource', () => {
    const { Outputs, others, ids } = subscribed([address]);
    expect(ids).toHaveLength(1);
    expect(JSON.stringify([Outputs, others, ids])).not.toMatch(/oncall/i);
  });

  it('keep their subscriptions when the setting names them in another order or twice', () => {
    const url = 'https://oncall.trial.example/key';
    const { ids } = subscribed([address, url]);
    expect(ids).toHaveLength(2);
    expect(subscribed([url, address, url]).ids.toSorted()).toEqual(ids.toSorted());
  });
});
