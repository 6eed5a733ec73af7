import * as z from 'zod';
import type { AwsServices } from '#sandbox/aws/services/aws-service.ts';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';

/** An action of IAM, on the ARN of a resource. */
export type Permission = {
  readonly action: string;
  readonly resource: string;
  /** The service that asks for the caller, as `kms:ViaService` names it. */
  readonly via?: string;
};

type Request = {
  readonly service: keyof AwsServices;
  /** For example `SendMessageBatch`. */
  readonly operation: string;
  /** What is asked for, parsed. */
  readonly input: unknown;
};

type Resources = Pick<
  Blueprint,
  'tables' | 'queues' | 'secrets' | 'eventBuses' | 'functions' | 'schedules' | 'logGroups' | 'stacks'
>;
type Named = { readonly physicalName: string; readonly arn: string };

const ofTable = z.looseObject({ TableName: z.string(), IndexName: z.string().optional() });
const ofTables = z.looseObject({ RequestItems: z.record(z.string(), z.unknown()) });
/** A redrive names its queue by the ARN, all else by the URL, which ends in the name. */
const ofQueue = z.union([
  z.looseObject({ QueueUrl: z.string() }).transform(({ QueueUrl }) => QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1)),
  z.looseObject({ SourceArn: z.string() }).transform(({ SourceArn }) => SourceArn),
  z.looseObject({ QueueName: z.string() }).transform(({ QueueName }) => QueueName),
]);
const ofSecret = z.looseObject({ SecretId: z.string() });
const ofFunction = z.looseObject({ FunctionName: z.string().optional() });
const ofSchedule = z.looseObject({ Name: z.string() });
/** A query names several, and only a grant on all resources allows it. */
const ofLogGroup = z.looseObject({ logGroupName: z.string().optional() });
const ofStack = z.looseObject({ StackName: z.string().default('*') });
const ofBuses = z.looseObject({ Entries: z.array(z.looseObject({ EventBusName: z.string().default('default') })) });

/** IAM has no actions for the batches of SQS: each message of a batch needs the action of a single one. */
const singleOperation = (operation: string) => operation.replace(/Batch$/, '');

/**
 * The permissions that IAM asks of the caller of an AWS API, and, if the resource is encrypted with a key of the stacks,
 * those on the key.
 *
 * https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
export function requestedPermissions(resources: Resources, request: Request): readonly Permission[] {
  return ofService(resources, request).flatMap((permission) => [permission, ...onKey(resources, permission)]);
}

function ofService(resources: Resources, { service, operation, input }: Request): readonly Permission[] {
  switch (service) {
    case 'dynamodb': {
      const action = `dynamodb:${operation}`;
      const several = ofTables.safeParse(input);
      if (several.success)
        return Object.keys(several.data.RequestItems).map((name) => ({
          action,
          resource: arnOf(resources.tables, name),
        }));
      const { TableName, IndexName } = ofTable.parse(input);
      const table = arnOf(resources.tables, TableName);
      return [{ action, resource: IndexName === undefined ? table : `${table}/index/${IndexName}` }];
    }
    case 'sqs': {
      const queue = ofQueue.parse(input);
      return [{ action: `sqs:${singleOperation(operation)}`, resource: arnOf(resources.queues, queue) }];
    }
    case 'secretsManager': {
      const { SecretId } = ofSecret.parse(input);
      return [{ action: `secretsmanager:${operation}`, resource: arnOf(resources.secrets, SecretId) }];
    }
    case 'lambda': {
      const action = operation === 'Invoke' ? 'lambda:InvokeFunction' : `lambda:${operation}`;
      const { FunctionName } = ofFunction.parse(input);
      return [{ action, resource: FunctionName === undefined ? '*' : arnOf(resources.functions, FunctionName) }];
    }
    case 'scheduler': {
      const { Name } = ofSchedule.parse(input);
      return [{ action: `scheduler:${operation}`, resource: arnOf(resources.schedules, Name) }];
    }
    case 'cloudWatch':
      return [{ action: `cloudwatch:${operation}`, resource: '*' }];
    case 'logs': {
      const { logGroupName } = ofLogGroup.parse(input);
      return [
        {
          action: `logs:${operation}`,
          resource: logGroupName === undefined ? '*' : arnOf(resources.logGroups, logGroupName),
        },
      ];
    }
    case 'cloudFormation': {
      const { StackName } = ofStack.parse(input);
      const stack = resources.stacks.find(({ name, id }) => StackName === name || StackName === id);
      return [{ action: `cloudformation:${operation}`, resource: stack?.id ?? StackName }];
    }
    case 'eventBridge': {
      if (operation !== 'PutEvents') return [{ action: `events:${operation}`, resource: '*' }];
      const names = new Set(ofBuses.parse(input).Entries.map(({ EventBusName }) => EventBusName));
      return [...names].map((name) => ({ action: `events:${operation}`, resource: arnOf(resources.eventBuses, name) }));
    }
  }
}

/** A name of which the stacks know nothing stays as it is: no policy allows it. */
function arnOf(resources: readonly Named[], nameOrArn: string): string {
  return resources.find(({ physicalName, arn }) => nameOrArn === physicalName || nameOrArn === arn)?.arn ?? nameOrArn;
}

/**
 * What a service asks of the key in the name of the caller. Of DynamoDB AWS does not document which single actions a write
 * needs: both, to be on the safe side.
 *
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html
 * https://docs.aws.amazon.com/secretsmanager/latest/userguide/security-encryption.html
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-encryption-event-bus-cmkey.html
 */
const keyActions: Readonly<Record<string, readonly string[]>> = {
  'dynamodb:BatchGetItem': ['kms:Decrypt'],
  'dynamodb:GetItem': ['kms:Decrypt'],
  'dynamodb:Query': ['kms:Decrypt'],
  'dynamodb:Scan': ['kms:Decrypt'],
  'dynamodb:BatchWriteItem': ['kms:Decrypt', 'kms:GenerateDataKey'],
  'dynamodb:DeleteItem': ['kms:Decrypt', 'kms:GenerateDataKey'],
  'dynamodb:PutItem': ['kms:Decrypt', 'kms:GenerateDataKey'],
  'dynamodb:UpdateItem': ['kms:Decrypt', 'kms:GenerateDataKey'],
  'events:PutEvents': ['kms:Decrypt', 'kms:GenerateDataKey'],
  'secretsmanager:GetSecretValue': ['kms:Decrypt'],
  'secretsmanager:PutSecretValue': ['kms:Decrypt', 'kms:GenerateDataKey'],
  'sqs:ReceiveMessage': ['kms:Decrypt'],
  'sqs:SendMessage': ['kms:Decrypt', 'kms:GenerateDataKey'],
};

function onKey(resources: Resources, { action, resource }: Permission): readonly Permission[] {
  const key = keyOf(resources, resource);
  if (key === undefined) return [];
  const [service = ''] = action.split(':');
  const via = `${service}.${key.split(':')[3]}.amazonaws.com`;
  return (keyActions[action] ?? []).map((keyAction) => ({ action: keyAction, resource: key, via }));
}

function keyOf({ tables, queues, secrets, eventBuses }: Resources, resource: string): string | undefined {
  const [owner] = resource.split('/index/');
  const keys = [
    ...tables.map(({ arn, properties }) => [arn, properties.SSESpecification?.KMSMasterKeyId] as const),
    ...queues.map(({ arn, properties }) => [arn, properties.KmsMasterKeyId] as const),
    ...secrets.map(({ arn, properties }) => [arn, properties.KmsKeyId] as const),
    ...eventBuses.map(({ arn, properties }) => [arn, properties.KmsKeyIdentifier] as const),
  ];
  return keys.find(([arn]) => arn === owner)?.[1];
}
