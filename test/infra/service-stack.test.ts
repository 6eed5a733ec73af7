import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { walkNodeOptions } from '#infra/retry-undelivered/node-options.ts';
import { matchesPattern, readEventPattern } from '#sandbox/aws/services/event-pattern.ts';
import { busSource } from '#shared/bus/bus.ts';
import { onboardingDetails } from '#shared/onboarding/onboarding-event.ts';
import { leaseMs } from '#shared/onboarding/onboarding-message.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { refreshGroup, refreshInterval } from '#shared/secrets/platform-token.ts';
import { version } from '#shared/version.ts';
import { readable } from '#test/infra/stacks/readable-stack.ts';
import { deployedResources, type Expected, expectProperties } from './deployed-resources.ts';
import { deployedStack } from './deployed-stack.ts';

const template = deployedStack('service');
const resources = deployedResources('service');
const queues = [...deployedResources('data'), ...resources].filter(({ Type }) => Type === 'AWS::SQS::Queue');
const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
const functions = ofType('AWS::Lambda::Function');

const randomPart = '<part 2 of <AWS::StackId>>';
const webhooksUrl = `<WebhookIngest/Api.ApiEndpoint>/webhooks/${randomPart}`;

/** The function behind each route. */
const routes = new Map(
  ofType('AWS::ApiGatewayV2::Route').map(({ Properties: { RouteKey, Target } }) => {
    const integration = resources.find(({ name }) => Target === `integrations/<${name}>`)?.Properties;
    return [String(RouteKey), String(integration?.['IntegrationUri']).replace(/^<(.*)\.Arn>$/, '$1')] as const;
  }),
);

const schedule = (ScheduleExpression: string, target: Expected): Expected => ({
  ScheduleExpression,
  State: 'ENABLED',
  'Target.DeadLetterConfig': { Arn: '<MissedRuns.Arn>' },
  'Target.RetryPolicy.MaximumRetryAttempts': 10,
  'Target.Input': undefined,
  ...target,
});

/** Property by property: the resource, or all of a type; what it has; and why. */
const expectations: readonly (readonly [of: string, has: Expected, why: string])[] = [
  [
    'AWS::Lambda::Function',
    { Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler', Layers: undefined },
    'runs a function on Node 24 and arm64, from its bundle',
  ],
  ['AWS::Lambda::Function', { 'TracingConfig.Mode': 'PassThrough' }, 'starts no trace by default'],
  ['AWS::Lambda::Function', { 'LoggingConfig.LogFormat': 'JSON' }, "logs in Lambda's JSON format"],
  [
    'AWS::Lambda::Function',
    { ReservedConcurrentExecutions: undefined },
    'reserves no concurrency of the account by default',
  ],
  [
    'WebhookIngest/Receive',
    { 'LoggingConfig.SystemLogLevel': 'WARN' },
    "suppresses Lambda's own log lines for answered requests, which anybody can send",
  ],
  ...['RetryUndelivered/Drain', 'RetryUndelivered/Reconcile'].map(
    (name) =>
      [name, { 'Environment.Variables.NODE_OPTIONS': walkNodeOptions }, 'bounds the heap for long lists'] as const,
  ),
  [
    'AWS::Logs::LogGroup',
    { RetentionInDays: 30, KmsKeyId: '<Key.Arn>' },
    'deletes log lines after the time of the setting, and encrypts them with the key',
  ],
  [
    'WebhookIngest/InfrequentAccessLogs',
    {
      LogGroupName: `/aws/vendedlogs/apigateway/drawbridge-laptop-service-<part 0 of ${randomPart}>-infrequent`,
      LogGroupClass: 'INFREQUENT_ACCESS',
    },
    'names the access log below /aws/vendedlogs/, with the environment and a part of the id of the stack',
  ],
  ['Alarms/Topic', { KmsMasterKeyId: '<Key.Arn>' }, 'encrypts notifications of alarms with the key'],
  [
    'Alarms/Topic/Policy',
    {
      'PolicyDocument.Statement': [
        {
          Sid: 'AllowPublishThroughSSLOnly',
          Effect: 'Deny',
          Principal: '*',
          Action: 'sns:Publish',
          Resource: '<Alarms/Topic>',
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        },
        {
          Sid: '1',
          Effect: 'Allow',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Action: 'sns:Publish',
          Resource: '<Alarms/Topic>',
          Condition: { StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>' } },
        },
      ],
    },
    'lets the alarms of this account publish, over TLS: the policy replaces the default one',
  ],
  ['WebhookIngest/Api', { CorsConfiguration: undefined }, 'allows no cross-origin requests'],
  [
    'WebhookIngest/Stage',
    {
      ApiId: '<WebhookIngest/Api>',
      'AccessLogSettings.DestinationArn': '<WebhookIngest/InfrequentAccessLogs.Arn>',
      'DefaultRouteSettings.ThrottlingRateLimit': 2_000,
      'DefaultRouteSettings.ThrottlingBurstLimit': 4_000,
    },
    'throttles the webhooks by the default of the stage, and logs each request',
  ],
  [
    'WebhookIngest/Store/Function/WebhooksMessages',
    { EventSourceArn: '<Webhooks.Arn>', BatchSize: 10, ScalingConfig: { MaximumConcurrency: 50 } },
    'limits the concurrency on the mapping, so that waiting does not count as a try',
  ],
  [
    'Onboarding/Advance/Function/OnboardingMessages',
    { EventSourceArn: '<Onboarding/Onboarding.Arn>', BatchSize: 5, ScalingConfig: { MaximumConcurrency: 10 } },
    'advances onboardings in small batches',
  ],
  [
    'Onboarding/RequestEvent/Function/RequestsMessages',
    { EventSourceArn: '<Requests.Arn>', BatchSize: 10, ScalingConfig: { MaximumConcurrency: 10 } },
    'takes requests from the queue, and not from the rule',
  ],
  [
    'TokenRefresher/Refresh/Function/TokenRefreshesMessages',
    { EventSourceArn: '<TokenRefresher/TokenRefreshes.Arn>', BatchSize: 1 },
    'refreshes the token for one message at a time (promise 7)',
  ],
  [
    'TokenRefresher/TokenRefreshes',
    { FifoQueue: true, ContentBasedDeduplication: true },
    'has one refresh at a time, and one for equal reports within five minutes (promise 7)',
  ],
  ['MissedRuns', { FifoQueue: undefined }, 'has a standard queue for missed runs, as EventBridge Scheduler requires'],
  [
    'AWS::Lambda::EventSourceMapping',
    { FunctionResponseTypes: ['ReportBatchItemFailures'], Enabled: undefined },
    'retries only the failed messages of a batch, from the deployment on',
  ],
  [
    'TokenRefresher/TokenRefresh',
    // Without an input, each message is unique, so that SQS does not deduplicate it.
    schedule(`rate(${refreshInterval / 60_000} minutes)`, {
      'Target.Arn': '<TokenRefresher/TokenRefreshes.Arn>',
      'Target.SqsParameters': { MessageGroupId: refreshGroup },
      'Target.RetryPolicy.MaximumEventAgeInSeconds': 300,
    }),
    'has the token checked by a message, so that a run is retried and never overlaps with a report',
  ],
  [
    'WebhookIngest/Register/RegisterRuns',
    schedule('rate(2 minutes)', {
      'Target.Arn': '<WebhookIngest/Register.Arn>',
      'Target.Input': '{"mode":"apply"}',
      'Target.RetryPolicy.MaximumEventAgeInSeconds': 120,
    }),
    'has the registrations repaired every two minutes',
  ],
  [
    'RetryUndelivered/DrainRuns',
    schedule('rate(1 minute)', {
      'Target.Arn': '<RetryUndelivered/Drain.Arn>',
      'Target.RetryPolicy.MaximumEventAgeInSeconds': 60,
    }),
    'fetches undelivered webhooks every minute, and retries a start until the next run',
  ],
  [
    'RetryUndelivered/Reconcile/ReconcileRuns',
    schedule('rate(1 hour)', {
      'Target.Arn': '<RetryUndelivered/Reconcile.Arn>',
      'Target.Input': '{"mode":"repair"}',
      'Target.RetryPolicy.MaximumEventAgeInSeconds': 3_600,
    }),
    'compares entities with the platform every hour, and retries a start until the next run',
  ],
  [
    'Onboarding/Wake/WakeRuns',
    schedule('rate(1 minute)', {
      'Target.Arn': '<Onboarding/Wake.Arn>',
      'Target.RetryPolicy.MaximumEventAgeInSeconds': 60,
    }),
    'wakes due onboardings every minute',
  ],
  [
    'Onboarding/Wake/GaugeRuns',
    schedule('rate(5 minutes)', {
      'Target.Arn': '<Onboarding/Wake.Arn>',
      'Target.Input': '{"publish":"gauges"}',
      'Target.RetryPolicy.MaximumEventAgeInSeconds': 300,
    }),
    'publishes the gauges that alarms read every five minutes',
  ],
  [
    'WebhookIngest/Register/RegisterAfterDeployment',
    {
      State: 'ENABLED',
      EventBusName: undefined,
      EventPattern: {
        source: ['aws.cloudformation'],
        'detail-type': ['CloudFormation Stack Status Change'],
        detail: {
          'stack-id': ['<AWS::StackId>'],
          'status-details': { status: ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'] },
        },
      },
      Targets: [{ Id: 'Target0', Arn: '<WebhookIngest/Register.Arn>', Input: '{"mode":"apply"}' }],
    },
    'registers the webhooks after every deployment of this stack, rollbacks included',
  ],
  [
    'Onboarding/Requested',
    {
      EventBusName: '<Bus>',
      Targets: [
        {
          Id: 'Target0',
          Arn: '<Requests.Arn>',
          DeadLetterConfig: { Arn: '<RequestsDlq.Arn>' },
          RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
        },
      ],
    },
    'hands a request to its queue, and to the dead-letter queue what the queue does not take',
  ],
  [
    'KeyEvents/Rule',
    {
      EventBusName: undefined,
      'EventPattern.detail': {
        eventSource: ['kms.amazonaws.com'],
        eventName: ['DisableKey', 'ScheduleKeyDeletion'],
        requestParameters: { keyId: ['<Key>', '<Key.Arn>'] },
      },
      Targets: [expect.objectContaining({ Arn: '<KeyEvents.Arn>' })],
    },
    'keeps each call that makes the key unusable, however it names the key',
  ],
  ['KeyEvents', { SqsManagedSseEnabled: true, KmsMasterKeyId: undefined }, 'keeps these calls without the key'],
  [
    'BusPolicy',
    {
      EventBusName: '<Bus>',
      Statement: {
        Effect: 'Deny',
        Principal: '*',
        Action: 'events:PutEvents',
        Resource: '<Bus.Arn>',
        Condition: {
          'ForAnyValue:StringEquals': { 'events:source': busSource },
          ArnNotEquals: {
            'aws:PrincipalArn': ['Onboarding/Advance', 'Onboarding/RequestEvent', 'WebhookIngest/Store'].map(
              (name) => `<${name}/Role.Arn>`,
            ),
          },
          Bool: { 'aws:PrincipalIsAWSService': 'false' },
        },
      },
    },
    'refuses an event in the name of Drawbridge that no function of it publishes',
  ],
];

const target = z.object({
  Arn: z.string(),
  RetryPolicy: z.object({ MaximumEventAgeInSeconds: z.number() }).optional(),
});

describe('the service stack', () => {
  it.each(expectations.map(([of, has, why]) => [why, of, has] as const))('%s: %s', (_, of, has) => {
    expectProperties(resources, of, has);
  });

  it('has a row in this test for each trigger', () => {
    const named = expectations.map(([of]) => of);
    for (const type of ['AWS::Scheduler::Schedule', 'AWS::Events::Rule', 'AWS::Lambda::EventSourceMapping'])
      expect(ofType(type).filter(({ name }) => !named.includes(name))).toEqual([]);
  });

  it('has Lambda repeat no failed run of a schedule, and start none after the next one is due', () => {
    const ofSchedules = ofType('AWS::Scheduler::Schedule').map(
      ({ Properties }) => z.object({ Target: target }).parse(Properties).Target,
    );
    const ofRules = ofType('AWS::Events::Rule').flatMap(
      ({ Properties }) => z.object({ Targets: z.array(target) }).parse(Properties).Targets,
    );
    const byTarget = Map.groupBy([...ofSchedules, ...ofRules], ({ Arn }) => Arn.replace('.Arn>', '>'));
    const expected = functions.flatMap(({ name }) => {
      const ages = byTarget.get(`<${name}>`)?.flatMap(({ RetryPolicy }) => RetryPolicy?.MaximumEventAgeInSeconds ?? []);
      return ages === undefined ? [] : [{ FunctionName: `<${name}>`, MaximumEventAgeInSeconds: Math.min(...ages) }];
    });
    expect(expected.length).toBeGreaterThan(0);
    expect(new Set(ofType('AWS::Lambda::EventInvokeConfig').map(({ Properties }) => Properties))).toEqual(
      new Set(expected.map((of) => ({ ...of, MaximumRetryAttempts: 0, Qualifier: '$LATEST' }))),
    );
  });

  it('uses no custom resource, which could block it, and no function URL', () => {
    const types = resources.map(({ Type }) => Type);
    expect(types.filter((type) => /^Custom::|CustomResource|^AWS::Lambda::Url$/.test(type))).toEqual([]);
  });

  it.each([
    ['RegisterFunction', '<WebhookIngest/Register>', '{"mode": "plan"}'],
    ['ReconcileFunction', '<RetryUndelivered/Reconcile>', '{"mode": "report"}'],
    ['ReplayFunction', '<WebhookIngest/Replay>', 'Invoke it with {}'],
    ['WebhooksUrl', webhooksUrl, '/ and the event type'],
    ['ApiUrl', '<WebhookIngest/Api.ApiEndpoint>', '/onboardings'],
  ])('gives the operator %s', (output, value, help) => {
    const { Value, Description } = template.Outputs[output] ?? {};
    expect(readable(Value, { template, data: deployedStack('data') })).toBe(value);
    expect(Description).toContain(help);
  });
});

describe.each(functions)('the function $name', ({ name }) => {
  it('has a log group and a role of its own', () => {
    expectProperties(resources, name, {
      'LoggingConfig.LogGroup': `<${name}/Logs>`,
      Role: `<${name}/Role.Arn>`,
    });
  });
});

describe('a function', () => {
  it('is invoked only by its routes, and register also by the rule after a deployment', () => {
    const api = 'arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<WebhookIngest/Api>/*/*';
    const ofRoutes = [...routes].map(([key, to]) => ({
      Action: 'lambda:InvokeFunction',
      FunctionName: `<${to}.Arn>`,
      Principal: 'apigateway.amazonaws.com',
      SourceArn: `${api}${key.slice(key.indexOf('/'))}`,
    }));
    const ofRule = {
      Action: 'lambda:InvokeFunction',
      FunctionName: '<WebhookIngest/Register.Arn>',
      Principal: 'events.amazonaws.com',
      SourceArn: '<WebhookIngest/Register/RegisterAfterDeployment.Arn>',
    };
    const granted = new Set(ofType('AWS::Lambda::Permission').map(({ Properties }) => JSON.stringify(Properties)));
    expect(granted).toEqual(new Set([...ofRoutes, ofRule].map((grant) => JSON.stringify(grant))));
  });
});

describe('a route of the API', () => {
  it('has no metrics of its own, on a stage that is created after the routes', () => {
    const [stage] = ofType('AWS::ApiGatewayV2::Stage');
    const withThrottle = [...routes].filter(([, to]) => to !== 'WebhookIngest/Receive');
    const settings = expect.objectContaining({ DetailedMetricsEnabled: false });
    expect(stage?.Properties['RouteSettings']).toEqual(
      Object.fromEntries(withThrottle.map(([key]) => [key, settings])),
    );
    expect(stage?.DependsOn).toEqual(expect.arrayContaining(ofType('AWS::ApiGatewayV2::Route').map(({ id }) => id)));
  });
});

describe('the access log of the API (promise 8)', () => {
  const [stage] = ofType('AWS::ApiGatewayV2::Stage');
  const { Format } = z.object({ Format: z.string() }).parse(stage?.Properties['AccessLogSettings']);
  const { version: release, ...format } = z.record(z.string(), z.string()).parse(JSON.parse(Format));

  it('contains the release, the request id and the status', () => {
    expect(release).toBe(version);
    expect(Object.keys(format)).toEqual(expect.arrayContaining(['requestId', 'requestTime', 'routeKey', 'status']));
  });

  it.each(Object.entries(format))('contains no header, body, path or query in %s', (_, value) => {
    expect(value).toMatch(/^\$context\.[A-Za-z.]+$/);
    expect(value).not.toMatch(/header|body|path|query|authorizer|userAgent|overrid/i);
  });
});

describe('the rule for OnboardingRequested events on the bus', () => {
  const pattern = ofType('AWS::Events::Rule').find(({ name }) => name === 'Onboarding/Requested')?.Properties;
  const takes = (detailType: string, source: string) =>
    matchesPattern(readEventPattern(pattern?.['EventPattern'], 'Requested'), {
      source,
      'detail-type': detailType,
      detail: {},
    });

  it.each(['partner.app', busSource])('accepts the event of the publisher %s', (source) => {
    expect(takes('OnboardingRequested', source)).toBe(true);
  });

  it.each([...Object.keys(onboardingDetails), 'NaturalPersonStatusChanged'])(
    'ignores the event %s, which Drawbridge publishes',
    (detailType) => {
      expect(takes(detailType, busSource)).toBe(false);
    },
  );
});

/** In seconds. */
const timeoutOf = (name: string) =>
  z.number().parse(functions.find((lambda) => lambda.name === name)?.Properties['Timeout']);
const queueOf = (name: string) => queues.find((queue) => queue.name === name)?.Properties;
const call = platformProfile.parse({}).deadlines.call / 1_000;

describe('the timing of the service stack', () => {
  it.each(ofType('AWS::Lambda::EventSourceMapping'))(
    'hides a message for six timeouts of its function: $name',
    (mapping) => {
      const [queue, lambda] = [mapping.Properties['EventSourceArn'], mapping.Properties['FunctionName']].map(
        (reference) => /^<(.+?)(?:\.Arn)?>$/.exec(String(reference))?.at(1),
      );
      expect(mapping.name).toMatch(new RegExp(`^${lambda}/Function/`));
      expect(queueOf(queue ?? '')?.['VisibilityTimeout']).toBeGreaterThanOrEqual(6 * timeoutOf(lambda ?? ''));
    },
  );

  it('hides an onboarding for as long as advance leases it', () => {
    expect(queueOf('Onboarding/Onboarding')).toMatchObject({ VisibilityTimeout: leaseMs / 1_000 });
    expect(leaseMs).toBe(6 * timeoutOf('Onboarding/Advance') * 1_000);
  });

  it('retries a failed refresh within two minutes', () => {
    const { VisibilityTimeout } = z
      .object({ VisibilityTimeout: z.number() })
      .parse(queueOf('TokenRefresher/TokenRefreshes'));
    expect(VisibilityTimeout).toBeLessThanOrEqual(120);
  });

  it('registers within 10 minutes of the credentials, when each schedule starts as late as it may', () => {
    const rateOf = (name: string) => {
      const [found] = resources.filter((one) => one.name === name);
      return Number(/^rate\((\d+) minutes\)$/.exec(String(found?.Properties['ScheduleExpression']))?.[1]);
    };
    /** In minutes: https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html */
    const precision = 1;
    const latest = [rateOf('TokenRefresher/TokenRefresh'), rateOf('WebhookIngest/Register/RegisterRuns')];
    expect(latest.reduce((sum, rate) => sum + rate + precision, 0)).toBeLessThan(10);
  });

  it('answers before the timeout of API Gateway', () => {
    for (const to of routes.values()) expect(timeoutOf(to), to).toBeLessThan(30);
  });

  it('gives the drain time for a platform call with all its attempts, and advance for several', () => {
    expect(timeoutOf('RetryUndelivered/Drain')).toBeGreaterThan(1.5 * call);
    expect(timeoutOf('Onboarding/Advance')).toBeGreaterThanOrEqual(4 * call);
  });

  it('ends a run before the next one starts', () => {
    expect(timeoutOf('RetryUndelivered/Reconcile')).toBeLessThan(3_600);
    expect(timeoutOf('RetryUndelivered/Drain')).toBeLessThanOrEqual(60);
  });

  it('lets the drain fetch an undelivered webhook before reconcile takes its effect for drift', () => {
    // Within two runs, plus the duration of a call.
    const reconcile = functions.find(({ name }) => name === 'RetryUndelivered/Reconcile')?.Properties['Environment'];
    const { Variables } = z.object({ Variables: z.object({ GRACE_MINUTES: z.coerce.number() }) }).parse(reconcile);
    expect(Variables.GRACE_MINUTES * 60).toBeGreaterThan(2 * 60 + call);
  });
});
