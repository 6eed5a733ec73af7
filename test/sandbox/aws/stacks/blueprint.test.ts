import { describe, expect, inject, it } from 'vitest';
import { readBlueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { readCloudAssembly } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { place, readResources, resourceAt, writeAssembly } from './written-assembly.ts';

const code = { S3Bucket: 'assets', S3Key: 'hash.zip' };
const lambda = { Code: code, Handler: 'index.handler', Role: 'role', Runtime: 'nodejs24.x' };

describe('sandbox aws: an unsupported resource type', () => {
  it('is rejected before the host starts, with the construct path of the resource', () => {
    const read = () => readResources({ Lake1: resourceAt('stack/Data/Lake/Resource', 'AWS::S3::Bucket') });
    expect(read).toThrow(expect.objectContaining({ code: 'NOT_HOSTED' }));
    expect(read).toThrow('The sandbox does not know the resource type AWS::S3::Bucket (of stack/Data/Lake).');
  });
});

describe('sandbox aws: an unsupported property', () => {
  it('is rejected by its name, and the type and path of its resource', () => {
    const unknown = { FifoThroughputLimit: true, DeduplicationScope: {} };
    const read = () => readResources({ Q: resourceAt('stack/Orders/Resource', 'AWS::SQS::Queue', unknown) });
    expect(read).toThrow(expect.objectContaining({ code: 'NOT_HOSTED' }));
    expect(read).toThrow('FifoThroughputLimit, DeduplicationScope of AWS::SQS::Queue stack/Orders.');
  });
});

describe('sandbox aws: an unsupported value', () => {
  it.each([
    [
      'a function on an older Node',
      'AWS::Lambda::Function',
      { ...lambda, Runtime: 'nodejs22.x' },
      'the value of Runtime',
    ],
    ['a function with layers', 'AWS::Lambda::Function', { ...lambda, Layers: ['arn'] }, 'the property Layers'],
    [
      'a mapping with a filter',
      'AWS::Lambda::EventSourceMapping',
      { EventSourceArn: 'arn', FunctionName: 'name', FilterCriteria: {} },
      'FilterCriteria',
    ],
  ])('is rejected with its place: %s', (_, type, properties, named) => {
    const read = () => readResources({ R: resourceAt('stack/R', type, properties) });
    expect(read).toThrow(expect.objectContaining({ code: 'NOT_HOSTED' }));
    expect(read).toThrow(named);
    expect(read).toThrow(`${type} stack/R`);
  });
});

describe('sandbox aws: an omitted property of a template', () => {
  it('has the default of CloudFormation', () => {
    const blueprint = readResources({
      Q: resourceAt('stack/Q', 'AWS::SQS::Queue'),
      F: resourceAt('stack/F', 'AWS::Lambda::Function', lambda),
    });
    expect(blueprint.queues[0]?.properties.VisibilityTimeout).toBe(30);
    expect(blueprint.functions[0]?.properties).toMatchObject({ Timeout: 3, MemorySize: 128 });
  });
});

describe('sandbox aws: the name of a resource', () => {
  it('is short for people and contains the stack on AWS', () => {
    const { queues } = readResources({ Q1: resourceAt('stack/Ingest/WebhooksDlq/Resource', 'AWS::SQS::Queue') });
    expect(queues[0]).toMatchObject({
      path: 'stack/Ingest/WebhooksDlq',
      name: 'webhooks-dlq',
      physicalName: 'stack-webhooks-dlq',
      arn: 'arn:aws:sqs:eu-central-1:000000000000:stack-webhooks-dlq',
      ref: 'http://127.0.0.1:4566/000000000000/stack-webhooks-dlq',
    });
  });

  it('ends in .fifo on AWS for a FIFO queue without a name', () => {
    const { queues } = readResources({
      Q1: resourceAt('stack/Orders/Resource', 'AWS::SQS::Queue', { FifoQueue: true }),
    });
    expect(queues[0]).toMatchObject({
      name: 'orders',
      physicalName: 'stack-orders.fifo',
      arn: 'arn:aws:sqs:eu-central-1:000000000000:stack-orders.fifo',
      ref: 'http://127.0.0.1:4566/000000000000/stack-orders.fifo',
    });
    expect(queues[0]?.attributes.get('QueueName')).toBe('stack-orders.fifo');
  });

  it('is the declared one for an event bus', () => {
    const { eventBuses } = readResources({
      B1: resourceAt('stack/Bus/Resource', 'AWS::Events::EventBus', { Name: 'partner-production' }),
      B2: resourceAt('stack/Other/Resource', 'AWS::Events::EventBus'),
    });
    expect(eventBuses).toMatchObject([
      {
        name: 'bus',
        physicalName: 'partner-production',
        arn: 'arn:aws:events:eu-central-1:000000000000:event-bus/partner-production',
        ref: 'partner-production',
      },
      { name: 'other', physicalName: 'stack-other', ref: 'stack-other' },
    ]);
    expect(eventBuses[0]?.attributes.get('Name')).toBe('partner-production');
  });

  it('has as many parts of the path as distinguish resources of a type', () => {
    const { queues } = readResources({
      Q1: resourceAt('stack/Orders/Changes/Dlq/Resource', 'AWS::SQS::Queue'),
      Q2: resourceAt('stack/Transfers/Changes/Dlq/Resource', 'AWS::SQS::Queue'),
      Q3: resourceAt('stack/Dlq/Resource', 'AWS::SQS::Queue'),
      Q4: resourceAt('stack/OrdersChangesDlq/Resource', 'AWS::SQS::Queue'),
      T1: resourceAt('stack/Orders/Changes/Dlq/Resource', 'AWS::SNS::Topic'),
    });
    expect(queues.map(({ name }) => name)).toEqual([
      'stack-orders-changes-dlq',
      'transfers-changes-dlq',
      'stack-dlq',
      'orders-changes-dlq',
    ]);
  });

  it('stays short for a table of Drawbridge where a partner has one of the same name', () => {
    const tableOf = (stack: string) => ({
      template: {
        Resources: {
          Events: resourceAt(`${stack}/Events/Resource`, 'AWS::DynamoDB::Table', {
            KeySchema: [],
            AttributeDefinitions: [],
            BillingMode: 'PAY_PER_REQUEST',
          }),
        },
      },
    });
    const stacks = { bank: tableOf('bank'), 'drawbridge-laptop-data': tableOf('drawbridge-laptop-data') };
    const { tables } = readBlueprint(readCloudAssembly(writeAssembly(stacks)), place);
    expect(tables.map(({ name, physicalName }) => [name, physicalName])).toEqual([
      ['bank-events', 'bank-bank-events'],
      ['events', 'drawbridge-laptop-data-events'],
    ]);
  });
});

describe('sandbox aws: the blueprint of the project', () => {
  it('contains no unsupported resource or property, and lists what is not checked on a laptop', () => {
    const { notChecked } = readBlueprint(readCloudAssembly(inject('assembly')), place);
    expect(notChecked.toSorted()).toEqual([
      'encryption',
      'log retention',
      'notifications of alarms',
      'signatures, and permissions of others than functions',
      'the alarm drawbridge-laptop-NotificationsFailed',
      'the alarm drawbridge-laptop-RequestsLost',
      'the dashboard',
    ]);
  });
});
