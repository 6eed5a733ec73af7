import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMetrics, metricsNamespace } from '#shared/lambda/metrics.ts';
import {
  arnOf,
  type Deployed,
  deployedStack,
  pathOf,
  refTo,
  resolved,
  resourcesOf,
  theResource,
} from '#test/infra/deployed-stack.ts';
import { statementsIn } from '#test/infra/policy-statements.ts';

const data = deployedStack('data');
const service = deployedStack('service');
const key = theResource(data, 'AWS::KMS::Key');
const topic = theResource(service, 'AWS::SNS::Topic');
const alarms = resourcesOf(service, 'AWS::CloudWatch::Alarm');
const queues = resourcesOf(service, 'AWS::SQS::Queue');
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

function alarmsOn(metric: Record<string, unknown>): readonly Deployed[] {
  return alarms.filter(({ Properties }) =>
    Object.entries(metric).every(([name, value]) => JSON.stringify(Properties[name]) === JSON.stringify(value)),
  );
}

describe('promise 3: no dead letter without an alarm', () => {
  it('there are dead-letter queues', () => {
    expect(deadLetterQueues).toHaveLength(4);
  });

  it('each queue either has a dead-letter queue or is one', () => {
    const withRedrive = queues.filter(({ Properties }) => Properties.RedrivePolicy !== undefined).map(({ id }) => id);
    expect(new Set([...withRedrive, ...deadLetterQueues])).toEqual(new Set(queues.map(({ id }) => id)));
  });

  it.each(deadLetterQueues)('%s calls at the first message', (id) => {
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

describe('design: what fails calls for a hand', () => {
  /** Whoever invokes it waits for its answer, and is told what failed: a slip of the pen must wake nobody. */
  const invokedByHand = 'Replay';
  const functions = resourcesOf(service, 'AWS::Lambda::Function')
    .map((lambda) => ({ name: pathOf(lambda).at(-3), lambda }))
    .filter(({ name }) => name !== invokedByHand);

  it('alarms at the first delivery from outside the source ranges, and says what to do', () => {
    const [alarm] = alarmsOn({ Namespace: 'Drawbridge', MetricName: 'DeliveriesOutOfRange' });
    expect(alarm?.Properties).toMatchObject({ Threshold: 0, EvaluationPeriods: 1, Period: 60, Statistic: 'Sum' });
    expect(alarm?.Properties['AlarmDescription']).toMatch(/correct webhookSources in cdk.json and deploy/);
  });

  it.each(functions)('$name crashes', ({ lambda }) => {
    const dimensions = [{ Name: 'FunctionName', Value: refTo(lambda) }];
    expect(alarmsOn({ Namespace: 'AWS/Lambda', MetricName: 'Errors', Dimensions: dimensions })).toHaveLength(1);
  });

  it('but not what a hand invokes, which is there', () => {
    const { id } = theResource(service, 'AWS::Lambda::Function', invokedByHand);
    expect(alarms.filter((alarm) => JSON.stringify(alarm).includes(id))).toEqual([]);
  });

  it('webhooks are answered 5xx', () => {
    const dimensions = [{ Name: 'ApiId', Value: refTo(theResource(service, 'AWS::ApiGatewayV2::Api')) }];
    expect(alarmsOn({ Namespace: 'AWS/ApiGateway', MetricName: '5xx', Dimensions: dimensions })).toHaveLength(1);
  });

  it('webhooks wait', () => {
    const queue = theResource(service, 'AWS::SQS::Queue', 'Webhooks');
    const dimensions = [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [queue.id, 'QueueName'] } }];
    expect(alarmsOn({ MetricName: 'ApproximateAgeOfOldestMessage', Dimensions: dimensions })).toHaveLength(1);
  });

  it('events are quarantined: on the very metric that the functions write', () => {
    const lines: string[] = [];
    const metrics = createMetrics({ write: (line) => lines.push(line), now: () => new Date(0) });
    metrics.count('EventsQuarantined');
    metrics.flush();
    const [written] = z
      .object({
        _aws: z.object({ CloudWatchMetrics: z.array(z.object({ Namespace: z.string(), Dimensions: z.unknown() })) }),
      })
      .parse(JSON.parse(lines.join()))._aws.CloudWatchMetrics;
    const [alarm] = alarmsOn({ MetricName: 'EventsQuarantined', Namespace: written?.Namespace });
    expect(alarm?.Properties).toMatchObject({ Statistic: 'Sum', Threshold: 0 });
    expect(alarm?.Properties).not.toHaveProperty('Dimensions');
    expect(written?.Dimensions).toEqual([[]]);
    expect(alarm?.Properties.AlarmDescription).toMatch(/Invoke Replay with \{\}/);
  });
});

describe('issue 4: registrations that are not as they should be call for a hand', () => {
  const only = (MetricName: string) => {
    const [alarm, ...others] = alarmsOn({ MetricName, Namespace: metricsNamespace });
    expect(others).toEqual([]);
    return alarm?.Properties;
  };

  it.each(['RegistrationsMissing', 'RegistrationsDrifted', 'RegistrationsForeign'])(
    '%s: at the first run that finds one',
    (name) => {
      expect(only(name)).toMatchObject({ Period: 3_600, EvaluationPeriods: 1, Threshold: 0, Statistic: 'Maximum' });
    },
  );

  it('RegistrationsFailed: when the run after that could not repair them either', () => {
    expect(only('RegistrationsFailed')).toMatchObject({ Period: 3_600, EvaluationPeriods: 2, Threshold: 0 });
  });
});

describe('issue 6: onboardings that need a hand call for it', () => {
  it.each(['OnboardingsStopped', 'OnboardingsStalled'])('%s: at the first one', (MetricName) => {
    const [alarm, ...others] = alarmsOn({ MetricName, Namespace: metricsNamespace });
    expect(others).toEqual([]);
    expect(alarm?.Properties).toMatchObject({ EvaluationPeriods: 1, Statistic: 'Sum', Threshold: 0 });
  });

  it('so do those that wait to be looked at', () => {
    const [queue] = queues.filter((one) => nameOf(one) === 'Onboarding');
    const dimensions = [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [queue?.id, 'QueueName'] } }];
    expect(alarmsOn({ MetricName: 'ApproximateAgeOfOldestMessage', Dimensions: dimensions })).toHaveLength(1);
  });
});

describe('issue 6: a request on the bus that nobody can keep does not go without a word', () => {
  const requestEvent = theResource(service, 'AWS::Lambda::Function', 'RequestEvent');
  const rule = theResource(service, 'AWS::Events::Rule', 'Requested');

  it('nor does its function fail: at the first time', () => {
    const dimensions = [{ Name: 'FunctionName', Value: refTo(requestEvent) }];
    for (const MetricName of ['Errors', 'AsyncEventsDropped']) {
      const [alarm] = alarmsOn({ Namespace: 'AWS/Lambda', MetricName, Dimensions: dimensions });
      expect(alarm?.Properties).toMatchObject({ EvaluationPeriods: 1, Statistic: 'Sum', Threshold: 0 });
    }
  });

  it('nor the rule: by the names that CloudWatch knows a rule of such a bus by', () => {
    const [alarm] = alarmsOn({ Namespace: 'AWS/Events', MetricName: 'FailedInvocations' });
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

describe('issue 4: webhooks that stay undelivered call for a hand', () => {
  const only = (MetricName: string) => {
    const [alarm, ...others] = alarmsOn({ MetricName, Namespace: metricsNamespace });
    expect(others).toEqual([]);
    return alarm?.Properties;
  };

  it('OldestUndeliveredAge: above an hour, where it takes two runs to mark a webhook', () => {
    expect(only('OldestUndeliveredAge')).toMatchObject({ Period: 300, Threshold: 3_600, Statistic: 'Maximum' });
  });

  it('UndeliveredFound: where nobody looks any more, an empty list being looked at as well', () => {
    expect(only('UndeliveredFound')).toMatchObject({
      ComparisonOperator: 'LessThanThreshold',
      EvaluationPeriods: 3,
      Period: 300,
      Statistic: 'SampleCount',
      Threshold: 1,
      TreatMissingData: 'breaching',
    });
  });

  it('goes off within 15 minutes of the first refused mark, and names the setting of its path', () => {
    expect(only('UndeliveredMarksRefused')).toMatchObject({
      // The run after the one that was refused measures 2.
      Threshold: 1,
      Period: 300,
      EvaluationPeriods: 1,
      Statistic: 'Maximum',
      AlarmDescription: expect.stringContaining('platformProfile.webhookPaths.markDelivered'),
    });
  });

  it('goes off after an hour in which webhooks of ours wait behind those of another system', () => {
    expect(only('UndeliveredBehindForeign')).toMatchObject({
      Threshold: 0,
      Period: 900,
      EvaluationPeriods: 4,
      Statistic: 'Maximum',
      AlarmDescription: expect.stringContaining('formerWebhooksUrls'),
    });
  });

  it('UndeliveredLate: at the first one that came to light after newer ones had been marked', () => {
    expect(only('UndeliveredLate')).toMatchObject({ EvaluationPeriods: 1, Statistic: 'Sum', Threshold: 0 });
  });
});

describe('issue 4: it is alarmed before the token runs out', () => {
  const only = (MetricName: string) => {
    const [alarm] = alarmsOn({ MetricName, Namespace: metricsNamespace });
    return alarm?.Properties;
  };

  it('while it has 25 minutes left, where a token of an hour never has less than 30', () => {
    expect(only('TokenSecondsLeft')).toMatchObject({ ComparisonOperator: 'LessThanThreshold', Threshold: 1_500 });
  });

  it('within ten minutes, also where nothing is measured: nobody looks after it', () => {
    expect(only('TokenSecondsLeft')).toMatchObject({
      Period: 300,
      EvaluationPeriods: 2,
      Statistic: 'Maximum',
      TreatMissingData: 'breaching',
    });
  });

  it('and before that when refreshes have failed for 15 minutes', () => {
    expect(only('TokenRefreshesFailed')).toMatchObject({
      Statistic: 'Sum',
      Threshold: 0,
      Period: 300,
      EvaluationPeriods: 3,
    });
  });
});

describe.each(alarms.map((alarm) => ({ name: nameOf(alarm), alarm })))(
  'design: an alarm says what to do: $name',
  ({ alarm }) => {
    it('says in sentences what it means and what to do, and names its section of the runbook', () => {
      expect(alarm.Properties.AlarmDescription).toMatch(/^[A-Z].{60,}\. Runbook: docs\/reference\/alarms\.md#[a-z]+$/);
    });

    it('fits into the 1,024 characters that CloudWatch takes', () => {
      expect(String(alarm.Properties.AlarmDescription).length).toBeLessThanOrEqual(1_024);
    });

    it('tells whoever subscribes to the topic, when it goes off and when it is over', () => {
      expect(alarm.Properties).toMatchObject({ AlarmActions: [refTo(topic)], OKActions: [refTo(topic)] });
      expect(alarm.Properties).not.toHaveProperty('ActionsEnabled');
    });

    it('is quiet where nothing happens, unless that is what it is about', () => {
      const isBelow = alarm.Properties.ComparisonOperator === 'LessThanThreshold';
      expect(alarm.Properties).toMatchObject({ TreatMissingData: isBelow ? 'breaching' : 'notBreaching' });
    });
  },
);

describe('failure mode: an alarm that goes off, and nobody hears it', () => {
  const [policy] = resourcesOf(service, 'AWS::SNS::TopicPolicy');
  const topicStatements = statementsIn(policy?.Properties.PolicyDocument);

  it('encrypts the topic with the key of the data stack', () => {
    expect(resolved(topic.Properties.KmsMasterKeyId)).toEqual(arnOf(key));
  });

  it('lets CloudWatch use that key', () => {
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

  it('lets CloudWatch publish: a policy of its own takes the place of the one that allows the account', () => {
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
