import { Stack, Tags } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { type IVpc, SecurityGroup, Vpc } from 'aws-cdk-lib/aws-ec2';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { Drawbridge, type DrawbridgeProps } from '#infra/drawbridge.ts';
import { trialSettings } from '#test/infra/stacks/trial-apps.ts';
import { createPartnerApp } from './shared-trial-apps.ts';

/** Drawbridge in an app, with what a stack of the partner gives to it. */
function createTrial(propsOf: (stack: Stack) => Partial<DrawbridgeProps> = () => ({})) {
  const app = createPartnerApp();
  const own = new Stack(app, 'own');
  const drawbridge = new Drawbridge(app, 'Drawbridge', {
    environmentName: 'trial',
    settings: trialSettings,
    ...propsOf(own),
  });
  const template = (stack: Stack) => Template.fromStack(stack);
  return {
    drawbridge,
    own: () => template(own),
    data: () => template(drawbridge.data),
    service: () => template(drawbridge.service),
  };
}

/** The CDK's own types of a VPC do not compile with `exactOptionalPropertyTypes`. */
const createVpc = (stack: Stack) => new Vpc(stack, 'Vpc', { maxAzs: 2 }) as IVpc;

const propertiesOf = (template: Template, type: string): readonly Readonly<Record<string, unknown>>[] =>
  Object.values(template.findResources(type)).map(({ Properties }) => Properties);

describe('what CDK users apply to the construct', () => {
  it('puts a tag on the tables and functions of both stacks', () => {
    const { drawbridge, data, service } = createTrial();
    Tags.of(drawbridge).add('cost-centre', '4711');
    const tagged = Match.objectLike({ Tags: Match.arrayWith([{ Key: 'cost-centre', Value: '4711' }]) });
    const tables = propertiesOf(data(), 'AWS::DynamoDB::Table').length;
    data().resourcePropertiesCountIs('AWS::DynamoDB::Table', tagged, tables);
    const functions = propertiesOf(service(), 'AWS::Lambda::Function').length;
    service().resourcePropertiesCountIs('AWS::Lambda::Function', tagged, functions);
    expect([tables, functions].every((count) => count > 4)).toBe(true);
  });
});

describe('the constructs that Drawbridge takes', () => {
  it('connects the callers of the platform to private subnets of a VPC', () => {
    const { service, own } = createTrial((stack) => {
      const vpc = createVpc(stack);
      return { network: { vpc, securityGroups: [new SecurityGroup(stack, 'Group', { vpc })] } };
    });
    own().resourceCountIs('AWS::EC2::VPC', 1);
    const connected = propertiesOf(service(), 'AWS::Lambda::Function').flatMap(({ VpcConfig }) => VpcConfig ?? []);
    expect(connected.length).toBeGreaterThan(3);
    expect(connected[0]).toEqual({
      SubnetIds: [expect.anything(), expect.anything()],
      SecurityGroupIds: [expect.anything()],
    });
  });

  it('encrypts with a key of the partner, which lets CloudWatch Logs use it', () => {
    const { data, own } = createTrial((stack) => ({ key: new Key(stack, 'Key') }));
    data().resourceCountIs('AWS::KMS::Key', 0);
    data().hasOutput('KeyArn', Match.anyValue());
    const [table] = propertiesOf(data(), 'AWS::DynamoDB::Table');
    expect(JSON.stringify(table?.['SSESpecification'])).toContain('Fn::ImportValue');
    expect(JSON.stringify(propertiesOf(own(), 'AWS::KMS::Key'))).toContain('logs.');
  });

  it('serves webhooks at a domain with a certificate of the partner', () => {
    const { service } = createTrial((stack) => {
      const certificate = new Certificate(stack, 'Certificate', { domainName: 'webhooks.trial.example' });
      return { webhookDomain: { name: 'webhooks.trial.example', certificate } };
    });
    service().hasResourceProperties('AWS::ApiGatewayV2::DomainName', {
      DomainName: 'webhooks.trial.example',
      DomainNameConfigurations: [Match.objectLike({ CertificateArn: Match.anyValue() })],
    });
  });

  it('notifies topics of the partner, and does more at each alarm', () => {
    const notified = (trial: ReturnType<typeof createTrial>) =>
      ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm']
        .flatMap((type) => propertiesOf(trial.service(), type))
        .map(({ AlarmActions }) => AlarmActions)
        .filter((actions) => Array.isArray(actions))
        .map(({ length }) => length);
    const alone = notified(createTrial());
    const trial = createTrial((stack) => ({ alarmTopics: [new Topic(stack, 'OnCall')] }));
    trial.drawbridge.addAlarmAction(
      new SnsAction(
        Topic.fromTopicArn(trial.drawbridge.service, 'Pager', 'arn:aws:sns:eu-central-1:111122223333:pager'),
      ),
    );
    expect(alone.length).toBeGreaterThan(20);
    expect(notified(trial)).toEqual(alone.map((length) => length + 2));
  });

  it('takes tokens where a setting names what is deployed', () => {
    const { service } = createTrial((stack) => {
      const vpc = createVpc(stack);
      const statements = [new PolicyStatement({ actions: ['sqs:*'], resources: ['*'] })];
      const boundary = new ManagedPolicy(stack, 'Boundary', { statements });
      const network = {
        subnetIds: vpc.privateSubnets.map(({ subnetId }) => subnetId),
        securityGroupIds: [new SecurityGroup(stack, 'Group', { vpc }).securityGroupId],
      };
      return { settings: { ...trialSettings, network, permissionsBoundary: boundary.managedPolicyArn } };
    });
    const [role] = propertiesOf(service(), 'AWS::IAM::Role');
    expect(role?.['PermissionsBoundary']).toEqual({ 'Fn::ImportValue': expect.any(String) });
  });
});
