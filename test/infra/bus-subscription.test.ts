import { Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { writeEventSchemas } from '#docs/generate/bus/event-reference.ts';
import { BusSubscription, BusSubscriptionError } from '#infra/bus-subscription.ts';
import { OrderChangesStack } from '#infra/examples/order-changes-stack.ts';
import { busSource } from '#shared/bus/bus.ts';
import { createPartnerApp } from './shared-trial-apps.ts';

/** A stack of a partner with a subscribed queue. */
function subscribed(
  queueProps: QueueProps | ((stack: Stack) => QueueProps) = {},
  detailTypes = ['OrderStatusChanged'],
) {
  const stack = new Stack(createPartnerApp(), 'partner');
  const queue = new Queue(stack, 'Orders', typeof queueProps === 'function' ? queueProps(stack) : queueProps);
  const subscription = new BusSubscription(stack, 'Changes', { environment: 'production', detailTypes, queue });
  return { stack, queue, subscription, template: Template.fromStack(stack) };
}

const arnMatching = (logicalId: string) => ({ 'Fn::GetAtt': [Match.stringLikeRegexp(logicalId), 'Arn'] });
const queueArn = arnMatching('^Orders');
const deadLetterArn = arnMatching('Dlq');
const eventBridge = { Service: 'events.amazonaws.com' };

/** A policy by which the rule, and nothing else of EventBridge, may send to a queue. */
const sentByTheRule = (arn: object) => ({
  PolicyDocument: {
    Statement: Match.arrayWith([
      {
        Effect: 'Allow',
        Principal: eventBridge,
        Action: 'sqs:SendMessage',
        Resource: arn,
        Condition: { ArnEquals: { 'aws:SourceArn': arnMatching('^Changes') } },
      },
    ]),
  },
});

describe('a queue that a partner subscribes in three lines', () => {
  const example = () => new OrderChangesStack(createPartnerApp(), 'partner', { drawbridge: 'production' });

  it('passes the same cdk-nag checks as our own stacks', () => {
    const stack = example();
    const packs = [new AwsSolutionsChecks(stack), new ServerlessChecks(stack)];
    expect(packs.flatMap((pack) => pack.validateScope(stack).violations)).toEqual([]);
  });

  it('refers to the bus by name and has no other reference to our stacks', () => {
    const template = Template.fromStack(example());
    template.hasResourceProperties('AWS::Events::Rule', {
      EventBusName: 'drawbridge-production',
      EventPattern: { source: [busSource], 'detail-type': ['OrderStatusChanged', 'TransferStatusChanged'] },
    });
    expect(JSON.stringify(template.toJSON())).not.toContain('Fn::ImportValue');
  });
});

describe('the delivery from the bus to a subscribed queue', () => {
  const { template } = subscribed();

  it.each([
    [
      'is retried as the policy for rules says, and then kept in a dead-letter queue',
      'AWS::Events::Rule',
      {
        Targets: [
          {
            Arn: queueArn,
            RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
            DeadLetterConfig: { Arn: deadLetterArn },
          },
        ],
      },
    ],
    [
      'keeps other queues from naming its dead-letter queue as theirs',
      'AWS::SQS::Queue',
      {
        MessageRetentionPeriod: 14 * 86_400,
        SqsManagedSseEnabled: true,
        RedriveAllowPolicy: { redrivePermission: 'denyAll' },
      },
    ],
    ['allows only the rule to send to the queue', 'AWS::SQS::QueuePolicy', sentByTheRule(queueArn)],
    ['allows only the rule to send to the dead-letter queue', 'AWS::SQS::QueuePolicy', sentByTheRule(deadLetterArn)],
  ])('%s', (_, type, properties) => {
    template.hasResourceProperties(type, properties);
  });
});

describe('a subscribed queue with its own KMS key', () => {
  const withKey = (stack: Stack): QueueProps => ({ encryptionMasterKey: new Key(stack, 'Key') });

  it('lets EventBridge of this account use the key, also for the dead letters', () => {
    const { template } = subscribed(withKey);
    template.hasResourceProperties('AWS::KMS::Key', {
      KeyPolicy: {
        Statement: Match.arrayWith([
          {
            Effect: 'Allow',
            Principal: eventBridge,
            Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
            Resource: '*',
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
        ]),
      },
    });
    template.allResourcesProperties('AWS::SQS::Queue', { KmsMasterKeyId: arnMatching('^Key') });
  });

  it('names the remedy when the key belongs to another stack', () => {
    const arn = 'arn:aws:kms:eu-central-1:111111111111:key/0f1c2d3e-0000-4000-8000-000000000001';
    const { stack } = subscribed((scope) => ({ encryptionMasterKey: Key.fromKeyArn(scope, 'Key', arn) }));
    Annotations.fromStack(stack).hasWarning('/partner/Changes', Match.stringLikeRegexp('let events.amazonaws.com use'));
  });
});

describe('a queue to which EventBridge could never deliver', () => {
  it.each<[string, QueueProps, readonly string[], string | RegExp]>([
    ['a FIFO queue', { fifo: true }, ['OrderStatusChanged'], 'Subscribe a standard queue'],
    ["AWS's key for SQS", { encryption: QueueEncryption.KMS_MANAGED }, ['OrderStatusChanged'], 'alias/aws/sqs'],
    ['no detail-type', {}, [], /of NaturalPersonStatusChanged, .*EventQuarantined/],
    ['a misspelt detail-type', {}, ['OrderStatusChanged', 'OrderChanged'], 'Not known: OrderChanged'],
  ])('is refused with a remedy: %s', (_, props, detailTypes, message) => {
    const subscribe = () => subscribed(props, [...detailTypes]);
    expect(subscribe).toThrow(BusSubscriptionError);
    expect(subscribe).toThrow(message);
  });

  it('is accepted for every detail-type that has a schema', () => {
    const published = [...writeEventSchemas().keys()];
    subscribed({}, published).template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: { 'detail-type': published },
    });
  });
});
