import { describe, expect, it } from 'vitest';
import { AdaptationError, adaptTemplate } from '#tools/deploy/assembly/adaptations.ts';

const secret = { Type: 'AWS::SecretsManager::Secret' };
const bus = { Type: 'AWS::Events::EventBus', Properties: { Name: 'drawbridge' } };
const archive = { Type: 'AWS::Events::Archive', Properties: { SourceArn: { 'Fn::GetAtt': ['Bus', 'Arn'] } } };

describe('adaptTemplate', () => {
  it('leaves a template as it is that the emulator takes', () => {
    const template = { Resources: { Bus: bus }, Outputs: { Name: { Value: { Ref: 'Bus' } } } };
    expect(adaptTemplate(template)).toEqual({ template, applied: [] });
  });

  it('removes what the emulator refuses, and says which resources', () => {
    const silent = { Type: 'AWS::CloudWatch::CompositeAlarm', Properties: { AlarmRule: 'TRUE' } };
    const { template, applied } = adaptTemplate({ Resources: { Bus: bus, Changes: archive, Silent: silent } });
    expect(template).toEqual({ Resources: { Bus: bus } });
    expect(applied).toMatchObject([
      { what: 'removes AWS::Events::Archive', ids: ['Changes'] },
      { what: 'removes AWS::CloudWatch::CompositeAlarm', ids: ['Silent'] },
    ]);
  });

  it('removes composite alarms from the dashboard, and keeps its other alarms', () => {
    const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
    const dashboardWith = (...parts: readonly unknown[]) => ({
      Type: 'AWS::CloudWatch::Dashboard',
      Properties: { DashboardBody: { 'Fn::Join': ['', ['{"alarms":["', ...parts, '"]}']] } },
    });
    const { template } = adaptTemplate({
      Resources: {
        Shown: dashboardWith(arnOf('Plain'), '","', arnOf('Silent')),
        Plain: { Type: 'AWS::CloudWatch::Alarm' },
        Silent: { Type: 'AWS::CloudWatch::CompositeAlarm' },
      },
    });
    expect(template.Resources).toMatchObject({ Shown: dashboardWith(arnOf('Plain'), '","', '') });
    expect(template.Resources).not.toHaveProperty('Silent');
  });

  it('refuses to remove a resource that another part of the template names', () => {
    const template = { Resources: { Changes: archive }, Outputs: { Archive: { Value: { Ref: 'Changes' } } } };
    expect(() => adaptTemplate(template)).toThrow(AdaptationError);
  });

  it('writes each reference to a secret as its ARN, and no other reference', () => {
    const statement = { Effect: 'Allow', Resource: [{ Ref: 'Token' }, { Ref: 'Bus' }] };
    const { template } = adaptTemplate({
      Resources: { Token: secret, Bus: bus, Policy: { Type: 'AWS::IAM::Policy', Properties: { statement } } },
      Outputs: { Token: { Value: { Ref: 'Token' } } },
    });
    expect(template).toMatchObject({
      Resources: {
        Policy: { Properties: { statement: { Resource: [{ 'Fn::GetAtt': ['Token', 'Id'] }, { Ref: 'Bus' }] } } },
      },
      Outputs: { Token: { Value: { 'Fn::GetAtt': ['Token', 'Id'] } } },
    });
  });

  it('allows batches in the policies of roles that allow messages, and in no policy of a queue', () => {
    const allows = (...actions: readonly string[]) => ({ Statement: [{ Effect: 'Allow', Action: actions }] });
    const policy = (Type: string, PolicyDocument: object) => ({ Type, Properties: { PolicyDocument } });
    const { template } = adaptTemplate({
      Resources: {
        Drain: policy('AWS::IAM::Policy', { Statement: { Effect: 'Allow', Action: 'sqs:SendMessage' } }),
        Store: policy('AWS::IAM::Policy', allows('kms:Decrypt', 'sqs:SendMessage')),
        Query: policy('AWS::IAM::Policy', allows('dynamodb:GetItem')),
        Queue: policy('AWS::SQS::QueuePolicy', allows('sqs:SendMessage')),
      },
    });
    expect(template.Resources).toEqual({
      Drain: policy('AWS::IAM::Policy', {
        Statement: { Effect: 'Allow', Action: ['sqs:SendMessage', 'sqs:SendMessageBatch'] },
      }),
      Store: policy('AWS::IAM::Policy', allows('kms:Decrypt', 'sqs:SendMessage', 'sqs:SendMessageBatch')),
      Query: policy('AWS::IAM::Policy', allows('dynamodb:GetItem')),
      Queue: policy('AWS::SQS::QueuePolicy', allows('sqs:SendMessage')),
    });
  });
});
