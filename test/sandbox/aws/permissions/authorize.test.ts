import { SecretValue } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Effect, ManagedPolicy, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { afterEach, describe, expect, it } from 'vitest';
import { via } from '#infra/parts/use-key.ts';
import { createAuthorize } from '#sandbox/aws/permissions/authorize.ts';
import { readBlueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { readCloudAssembly } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { addFunction, type FixtureAssembly, synthesizeFixture } from '#test/sandbox/aws/fixture-assembly.ts';

const assemblies: FixtureAssembly[] = [];
afterEach(() => {
  for (const { remove } of assemblies.splice(0)) remove();
});

const origin = 'http://127.0.0.1:4566';
const place = { account: '000000000000', region: 'eu-central-1', awsOrigin: origin, apiOrigin: origin };
const arn = (id: string) => `arn:aws:${id.replace(':', ':eu-central-1:000000000000:')}`;

/** Checks the calls of a function `caller` in a stack with one resource of each kind. */
function authorizing(allow: (caller: LambdaFunction) => void) {
  const assembly = synthesizeFixture((stack) => {
    const key = new Key(stack, 'Key');
    new Table(stack, 'Orders', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
    });
    new Queue(stack, 'Work', { encryption: QueueEncryption.KMS, encryptionMasterKey: key });
    new Secret(stack, 'Token', { secretStringValue: SecretValue.unsafePlainText('first') });
    new EventBus(stack, 'Bus', { eventBusName: 'fixture-bus' });
    allow(addFunction(stack, 'Caller', 'exports.handler = async () => {}'));
  });
  assemblies.push(assembly);
  const authorize = createAuthorize(readBlueprint(readCloudAssembly(assembly.directory), place));
  return (service: Parameters<typeof authorize>[0]['service'], operation: string, input: unknown) => () =>
    authorize({ caller: 'caller', service, operation, input });
}

const statement = (actions: string[], resources: string[], effect = Effect.ALLOW) =>
  new PolicyStatement({ actions, resources, effect });

const ordersTable = arn('dynamodb:table/fixture-orders');
const workQueue = arn('sqs:fixture-work');
const token = arn('secretsmanager:secret:fixture-token');
const toOrders = { TableName: 'fixture-orders' };
const toWork = { QueueUrl: `${origin}/000000000000/fixture-work`, Entries: [] };

describe('sandbox aws: a call of a function', () => {
  it.each([
    ['dynamodb', 'GetItem', toOrders, 'dynamodb:GetItem', ordersTable],
    ['dynamodb', 'BatchGetItem', { RequestItems: { 'fixture-orders': {} } }, 'dynamodb:BatchGetItem', ordersTable],
    ['dynamodb', 'Query', { ...toOrders, IndexName: 'due' }, 'dynamodb:Query', `${ordersTable}/index/due`],
    ['secretsManager', 'GetSecretValue', { SecretId: token }, 'secretsmanager:GetSecretValue', token],
    ['sqs', 'GetQueueAttributes', toWork, 'sqs:GetQueueAttributes', workQueue],
    ['sqs', 'StartMessageMoveTask', { SourceArn: workQueue }, 'sqs:StartMessageMoveTask', workQueue],
    [
      'eventBridge',
      'PutEvents',
      { Entries: [{ EventBusName: 'fixture-bus' }] },
      'events:PutEvents',
      arn('events:event-bus/fixture-bus'),
    ],
  ] as const)('needs for %s %s its own action on its own resource', (service, operation, input, action, resource) => {
    const allowed = authorizing((caller) => caller.addToRolePolicy(statement([action], [resource])));
    expect(allowed(service, operation, input)).not.toThrow();
    const others = authorizing((caller) => {
      caller.addToRolePolicy(statement([`${action}s`], [resource]));
      caller.addToRolePolicy(statement([action], [`${resource}s`]));
    });
    expect(others(service, operation, input)).toThrow(`caller is not authorized to perform ${action} on ${resource}`);
  });

  it('needs the key of an encrypted resource as well, by the service of the resource', () => {
    const send = statement(['sqs:SendMessage'], [workQueue]);
    const withoutKey = authorizing((caller) => caller.addToRolePolicy(send));
    expect(withoutKey('sqs', 'SendMessageBatch', toWork)).toThrow(
      'not authorized to perform kms:Decrypt on arn:aws:kms:',
    );
    const withKey = (conditions: PolicyStatementProps['conditions']) =>
      authorizing((caller) => {
        caller.addToRolePolicy(send);
        const onKey = { actions: ['kms:*'], resources: [arn('kms:key/fixture-key')] };
        caller.addToRolePolicy(new PolicyStatement({ ...onKey, ...(conditions && { conditions }) }));
      })('sqs', 'SendMessageBatch', toWork);
    expect(withKey(undefined)).not.toThrow();
    expect(withKey(via('dynamodb', 'sqs'))).not.toThrow();
    expect(withKey(via('dynamodb'))).toThrow('not authorized to perform kms:Decrypt');
  });

  it.each([
    ['*', '*'],
    ['dynamodb:*', '*'],
    ['dynamodb:*Item', 'arn:aws:dynamodb:*:table/*'],
  ])('is allowed by the pattern %s on %s', (action, resource) => {
    const call = authorizing((caller) => caller.addToRolePolicy(statement([action], [resource])));
    expect(call('dynamodb', 'PutItem', toOrders)).not.toThrow();
  });

  it.each(['dynamodb:Put', 'dynamodb:*Items', 'dynamodb:PutItem*m'])('is not allowed by the pattern %s', (action) => {
    const call = authorizing((caller) => caller.addToRolePolicy(statement([action], ['*'])));
    expect(call('dynamodb', 'PutItem', toOrders)).toThrow('not authorized');
  });

  it('is refused when one statement allows it and another denies it', () => {
    const call = authorizing((caller) => {
      caller.addToRolePolicy(statement(['dynamodb:*'], ['*']));
      caller.addToRolePolicy(statement(['dynamodb:PutItem'], [ordersTable], Effect.DENY));
    });
    expect(call('dynamodb', 'PutItem', toOrders)).toThrow('not authorized');
    expect(call('dynamodb', 'GetItem', toOrders)).not.toThrow();
  });

  it('is refused to a function of which the stacks know nothing', () => {
    const call = authorizing(() => undefined);
    expect(call('dynamodb', 'GetItem', toOrders)).toThrow('not authorized');
  });
});

describe('sandbox aws: a function that takes the messages of a queue', () => {
  it('is refused unless its role allows to', () => {
    const consumer = (actions: string[]) => () =>
      authorizing((caller) => {
        caller.addEventSourceMapping('Messages', { eventSourceArn: workQueue });
        caller.addToRolePolicy(statement(actions, [workQueue]));
      });
    const polling = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
    expect(consumer(polling)).not.toThrow();
    expect(consumer(polling.slice(1))).toThrow(expect.objectContaining({ code: 'NOT_HOSTED' }));
    expect(consumer(polling.slice(1))).toThrow(`The role of caller does not allow sqs:ReceiveMessage on ${workQueue}`);
  });
});

describe('sandbox aws: a role with a policy of AWS', () => {
  it('is refused unless the policy allows nothing that the laptop checks', () => {
    const withPolicy = (name: string) => () =>
      authorizing((caller) => caller.role?.addManagedPolicy(ManagedPolicy.fromAwsManagedPolicyName(name)));
    expect(withPolicy('service-role/AWSLambdaVPCAccessExecutionRole')).not.toThrow();
    expect(withPolicy('AdministratorAccess')).toThrow('what this policy allows is not known');
  });
});
