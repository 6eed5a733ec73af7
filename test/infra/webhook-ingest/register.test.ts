import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { arnOf, deployedStack, refTo, resolved, resourcesOf, theResource } from '#test/infra/deployed-stack.ts';
import { createTrialApp } from '#test/infra/trial-app.ts';

const service = deployedStack('service');
const register = theResource(service, 'AWS::Lambda::Function', 'Register');
const schedule = theResource(service, 'AWS::Scheduler::Schedule', 'RegisterRuns');
const rule = theResource(service, 'AWS::Events::Rule', 'RegisterAfterDeployment');
const missedRuns = theResource(service, 'AWS::SQS::Queue', 'MissedRuns');
const apply = JSON.stringify({ mode: 'apply' });
const { Variables } = z.object({ Variables: z.record(z.string(), z.unknown()) }).parse(register.Properties.Environment);

describe('the schedule of register', () => {
  it('runs register in apply mode every two minutes', () => {
    expect(schedule.Properties).toMatchObject({ ScheduleExpression: 'rate(2 minutes)', State: 'ENABLED' });
    expect(schedule.Properties.Target).toMatchObject({ Arn: arnOf(register), Input: apply });
  });

  it('registers within 10 minutes of the credentials, when each schedule starts as late as it may', () => {
    const rateOf = (name: string) => {
      const { ScheduleExpression } = theResource(service, 'AWS::Scheduler::Schedule', name).Properties;
      return Number(/^rate\((\d+) minutes\)$/.exec(String(ScheduleExpression))?.[1]);
    };
    /** In minutes: https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html */
    const precision = 1;
    expect(rateOf('TokenRefresh') + precision + rateOf('RegisterRuns') + precision).toBeLessThan(10);
  });

  it('keeps a dead letter for a run that could not start', () => {
    expect(schedule.Properties.Target).toMatchObject({
      RetryPolicy: { MaximumEventAgeInSeconds: 120, MaximumRetryAttempts: 10 },
      DeadLetterConfig: { Arn: arnOf(missedRuns) },
    });
  });

  it('has a description of its purpose', () => {
    expect(schedule.Properties.Description).toMatch(/^[A-Z].{20,}/);
  });
});

describe('the run of register after a deployment', () => {
  it('starts after every deployment of this stack, including rollbacks', () => {
    expect(rule.Properties).toMatchObject({
      State: 'ENABLED',
      EventPattern: {
        source: ['aws.cloudformation'],
        'detail-type': ['CloudFormation Stack Status Change'],
        detail: {
          'stack-id': [{ Ref: 'AWS::StackId' }],
          'status-details': { status: ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'] },
        },
      },
      Targets: [expect.objectContaining({ Arn: arnOf(register), Input: apply })],
    });
    expect(rule.Properties).not.toHaveProperty('EventBusName');
  });

  it('uses no custom resource, which could block the stack', () => {
    const types = Object.values(service.Resources).map(({ Type }) => Type);
    expect(types.filter((type) => /^Custom::|CustomResource/.test(type))).toEqual([]);
  });

  it('is the only other trigger besides the schedule', () => {
    const permissions = resourcesOf(service, 'AWS::Lambda::Permission')
      .map(({ Properties }) => Properties)
      .filter(({ FunctionName }) => JSON.stringify(FunctionName) === JSON.stringify(arnOf(register)));
    expect(permissions).toEqual([
      {
        Action: 'lambda:InvokeFunction',
        FunctionName: arnOf(register),
        Principal: 'events.amazonaws.com',
        SourceArn: arnOf(rule),
      },
    ]);
  });
});

/** The random part of the webhooks URL. */
const uuid = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };

describe('the environment of register', () => {
  it('has the URL of the API, the header, and the id of the secret', () => {
    const api = theResource(service, 'AWS::ApiGatewayV2::Api');
    const secret = theResource(deployedStack('data'), 'AWS::SecretsManager::Secret', 'WebhookSecret');
    expect(Variables['WEBHOOKS_URL']).toEqual({
      'Fn::Join': ['', [{ 'Fn::GetAtt': [api.id, 'ApiEndpoint'] }, '/webhooks/', uuid]],
    });
    expect(Variables['SECRET_HEADER']).toBe('X-Drawbridge-Secret');
    expect(resolved(Variables['SECRET_ID'])).toEqual(refTo(secret));
    expect(service.Outputs['WebhooksUrl']?.Value).toEqual(Variables['WEBHOOKS_URL']);
  });

  it('has the header and the secret that receive checks', () => {
    const receive = theResource(service, 'AWS::Lambda::Function', 'Receive');
    const environment = z
      .object({ Variables: z.object({ SECRET_HEADER: z.string(), SECRET_ID: z.unknown() }) })
      .parse(receive.Properties.Environment);
    expect(environment.Variables.SECRET_HEADER).toBe(String(Variables['SECRET_HEADER']).toLowerCase());
    expect(environment.Variables.SECRET_ID).toEqual(Variables['SECRET_ID']);
  });

  it('has the values that an environment sets', () => {
    const { service: trial } = createTrialApp({
      webhooksUrl: 'https://hooks.ours.example/platform',
      registeredEventTypes: ['USER_NOTIFICATION'],
      webhookSecretRotation: { everyDays: 30, overlapHours: 5 },
    });
    const template = Template.fromStack(trial);
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: Match.objectLike({
          WEBHOOKS_URL: { 'Fn::Join': ['', ['https://hooks.ours.example/platform/', uuid]] },
          REGISTERED_EVENT_TYPES: '["USER_NOTIFICATION"]',
          SECRET_ROTATION_DAYS: '30',
          SECRET_OVERLAP_HOURS: '5',
        }),
      },
    });
    template.hasOutput('WebhooksUrl', { Value: { 'Fn::Join': ['', ['https://hooks.ours.example/platform/', uuid]] } });
  });

  it('comes with the function name as an output for manual runs', () => {
    expect(service.Outputs['RegisterFunction']?.Value).toEqual(refTo(register));
  });
});
