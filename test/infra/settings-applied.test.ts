import { Match, type Matcher, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { version } from '#shared/version.ts';
import { everySetting, statuses } from '#tools/release/every-setting.ts';
import { createTrialApp } from './trial-app.ts';

describe('the settings of an environment', () => {
  it('are all applied to the deployed stacks', () => {
    const { data, service } = createTrialApp(everySetting);
    const template = Template.fromStack(service);
    const functionHas = (Variables: Record<string, string | Matcher>) =>
      template.hasResourceProperties('AWS::Lambda::Function', { Environment: { Variables } });
    functionHas({
      EVENT_RETENTION_DAYS: '21',
      PLATFORM_PROFILE: Match.serializedJson(Match.objectLike({ eventTypes: ['PROXY_NOTIFICATION'] })),
    });
    const profile = Match.serializedJson(Match.objectLike({ statuses }));
    // store, erase-person and reconcile. query only takes the statuses.
    for (const other of ['EVENT_BUS', 'EVENT_RETENTION_DAYS', 'CALLS_PER_SECOND'])
      functionHas({ ENTITIES_TABLE: Match.anyValue(), [other]: Match.anyValue(), PLATFORM_PROFILE: profile });
    functionHas({ ENTITIES_TABLE: Match.anyValue(), DECLARED_STATUSES: Match.serializedJson(statuses) });
    // store, drain and query.
    functionHas({ EVENT_BUS: Match.anyValue(), LIST_EVENTS: 'true', LIST_ENTITIES: 'true' });
    functionHas({ WEBHOOKS_URL: Match.anyValue(), CHECKPOINTS_TABLE: Match.anyValue(), LIST_EVENTS: 'true' });
    functionHas({ EVENT_TYPES: '["PROXY_NOTIFICATION"]', LIST_EVENTS: 'true', LIST_ENTITIES: 'true' });
    functionHas({ CALLS_PER_SECOND: '0.5', GRACE_MINUTES: '30', STALE_AFTER_HOURS: '168' });
    template.hasResourceProperties('AWS::Scheduler::Schedule', { ScheduleExpression: 'rate(3 hours)' });
    functionHas({ SECRET_HEADER: 'x-trial-secret', SOURCE_RANGES: '["203.0.113.0/24","2001:db8::/32"]' });
    functionHas({
      REGISTERED_EVENT_TYPES: '["PROXY_NOTIFICATION"]',
      SECRET_ROTATION_DAYS: '31',
      SECRET_OVERLAP_HOURS: '5',
      WEBHOOKS_URL: Match.objectLike({
        'Fn::Join': Match.arrayWith([Match.arrayWith(['https://hooks.trial.example/platform/'])]),
      }),
    });
    // register and drain.
    const FORMER_WEBHOOKS_URLS = '["https://former.trial.example/webhooks"]';
    const withFormerUrls = { Environment: { Variables: Match.objectLike({ FORMER_WEBHOOKS_URLS }) } };
    template.resourcePropertiesCountIs('AWS::Lambda::Function', withFormerUrls, 2);
    template.hasResourceProperties('AWS::Lambda::Function', { ReservedConcurrentExecutions: 12 });
    template.hasResourceProperties('AWS::Lambda::Function', {
      VpcConfig: { SubnetIds: ['subnet-0a1b2c3d', 'subnet-4e5f6a7b'], SecurityGroupIds: ['sg-8c9d0e1f'] },
    });
    const uuid = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };
    template.hasResourceProperties('AWS::ApiGatewayV2::Route', {
      RouteKey: { 'Fn::Join': ['', ['POST /webhooks/', uuid, '-moved-1/{eventType}']] },
    });
    functionHas({ ONBOARDING_SETTINGS: Match.serializedJson(Match.objectLike({ openDays: 30 })) });
    // The requestor and the vendor are not stated. The event types have no stand-in.
    functionHas({ ONBOARDINGS_TABLE: Match.anyValue(), STAND_INS: '2' });
    template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 14 });
    template.hasResourceProperties('AWS::ApiGatewayV2::DomainName', { DomainName: 'webhooks.trial.example' });
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      DefaultRouteSettings: { ThrottlingRateLimit: 3, ThrottlingBurstLimit: 4 },
    });
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      RouteSettings: {
        'GET /events/{eventId}': { ThrottlingRateLimit: 6, ThrottlingBurstLimit: 7 },
        'POST /onboardings': { ThrottlingRateLimit: 8, ThrottlingBurstLimit: 9 },
      },
    });
    template.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'oncall@trial.example' });
    const url = { Protocol: 'https', Endpoint: 'https://oncall.trial.example/key' };
    template.hasResourceProperties('AWS::SNS::Subscription', url);
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmDescription: Match.stringLikeRegexp(
        `Runbook: https://git.trial.example/drawbridge/blob/v${version}/docs/reference/alarms.md#webhooksdlq$`,
      ),
    });
    for (const MaximumConcurrency of [5, 6])
      template.hasResourceProperties('AWS::Lambda::EventSourceMapping', { ScalingConfig: { MaximumConcurrency } });
    Template.fromStack(data).hasResourceProperties('AWS::Events::Archive', { RetentionDays: 21 });
    Template.fromStack(data).hasResourceProperties('AWS::Backup::BackupVault', { BackupVaultName: 'trial-backups' });
  });

  it('pass the additional fields of the platform profile to every function that checks persons', () => {
    const additionalFields = { person: { nickname: { type: 'text', maxLength: 20 } } };
    const { service } = createTrialApp({ platformProfile: { additionalFields } });
    const template = Template.fromStack(service);
    const profile = Match.serializedJson(Match.objectLike({ additionalFields }));
    for (const Description of [
      Match.stringLikeRegexp('^Accepts requests for onboardings'),
      Match.stringLikeRegexp('^Accepts the onboardings that are requested by an event'),
      Match.stringLikeRegexp('^Takes onboardings as far as they go'),
      Match.stringLikeRegexp('^Hands an update of a person'),
    ])
      template.hasResourceProperties('AWS::Lambda::Function', {
        Description,
        Environment: { Variables: { PLATFORM_PROFILE: profile } },
      });
  });

  it('fall back to the defaults of the code when they are not set', () => {
    const template = Template.fromStack(createTrialApp().service);
    const functions = JSON.stringify(template.findResources('AWS::Lambda::Function'));
    for (const name of ['PLATFORM_PROFILE', 'DECLARED_STATUSES', 'ONBOARDING_SETTINGS', 'LIST_EVENTS', 'LIST_ENTITIES'])
      expect(functions).not.toContain(name);
  });

  it('tag every resource with the name of the environment', () => {
    const { data } = createTrialApp();
    Template.fromStack(data).allResourcesProperties('AWS::DynamoDB::Table', {
      Tags: [{ Key: 'drawbridge:environment', Value: 'trial' }],
    });
  });

  it('put the name of the environment into stack and bus names, so that environments can share an account', () => {
    const { data, service } = createTrialApp();
    expect([data.stackName, service.stackName]).toEqual(['drawbridge-trial-data', 'drawbridge-trial-service']);
    Template.fromStack(data).hasResourceProperties('AWS::Events::EventBus', { Name: 'drawbridge-trial' });
  });
});
