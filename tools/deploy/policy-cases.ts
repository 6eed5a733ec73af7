import { arnsOf, environmentTag, type PolicyScope } from '#cli/policy/deployment/policy.ts';
import type { DeploymentPolicy } from '#cli/policy/deployment-policies.ts';

/** A call of AWS, as IAM judges it. */
export type PolicyRequest = {
  readonly action: string;
  readonly resource: string;
  /** The condition keys of the call. */
  readonly context: Readonly<Record<string, string>>;
};

export type PolicyCase = PolicyRequest & {
  readonly name: string;
  /** The policies of the caller. */
  readonly policies: readonly DeploymentPolicy[];
  /** Whether the caller is a role that has the boundary, and policies that allow everything. */
  readonly isBounded: boolean;
  readonly isAllowed: boolean;
};

/** The role by which CloudFormation deploys has these. */
const execution = ['execution-data', 'execution-service', 'execution-roles'] as const;

/** Escalations, which must fail, and what a deployment needs. Evaluated by a test, and by the emulator in verify:deploy. */
export function policyCases(scope: PolicyScope): readonly PolicyCase[] {
  const { environment, account, partition } = scope;
  const region = 'eu-central-1';
  const { boundary, global, managed } = arnsOf(scope);
  const at = (service: string, resource: string) => `arn:${partition}:${service}:${region}:${account}:${resource}`;
  const generatedName = (stack: 'data' | 'service', id: string) =>
    `drawbridge-${environment}-${stack}`.slice(0, 24).concat(`-${id.slice(0, 24)}-1A2B3C4D5E6F`);
  const role = global('iam', `role/${generatedName('service', 'WebhookIngestStoreRoleCA09C474')}`);
  const roleOfBackups = global('iam', `role/${generatedName('data', 'BackupsRoleD4F311A7')}`);
  const otherRole = global('iam', 'role/administrators');
  const table = at('dynamodb', `table/${generatedName('data', 'EventsD32975C2')}`);
  const queue = at('sqs', generatedName('service', 'MissedRuns2A46D234'));
  const secret = at('secretsmanager', 'secret:PlatformToken00E1750F-AbCdEfGhIjKl-AbCdEf');
  const lambda = at('lambda', `function:${generatedName('service', 'WebhookIngestStoreFunction')}`);
  const logs = at('logs', `log-group:${generatedName('service', 'WebhookIngestStoreLogs')}`);
  const key = at('kms', 'key/1234abcd-12ab-34cd-56ef-1234567890ab');
  const tag = `aws:ResourceTag/${environmentTag}`;
  const bounded = { 'iam:PermissionsBoundary': boundary };
  const administrator = managed('AdministratorAccess');
  const ofBackups = managed('service-role/AWSBackupServiceRolePolicyForBackup');
  const otherBoundary = global('iam', 'policy/everything');

  const by =
    (policies: readonly DeploymentPolicy[], isBounded: boolean, isAllowed: boolean) =>
    (name: string, action: string, resource: string, context: PolicyRequest['context'] = {}): PolicyCase => ({
      name,
      policies,
      isBounded,
      isAllowed,
      action,
      resource,
      context,
    });
  const refused = by(execution, false, false);
  const allowed = by(execution, false, true);
  const refusedToDeployer = by(['deployer'], false, false);
  const allowedToDeployer = by(['deployer'], false, true);
  const refusedToRole = by(['boundary'], true, false);
  const allowedToRole = by(['boundary'], true, true);
  const passed = (service: string) => ({ 'iam:PassedToService': service });

  return [
    refused('create a role without the boundary', 'iam:CreateRole', role),
    refused('create a role with another boundary', 'iam:CreateRole', role, {
      'iam:PermissionsBoundary': otherBoundary,
    }),
    refused('create a role of another name', 'iam:CreateRole', otherRole, bounded),
    allowed('create a role with the boundary', 'iam:CreateRole', role, bounded),
    refused('put a policy into a role without the boundary', 'iam:PutRolePolicy', role),
    refused('put a policy into another role', 'iam:PutRolePolicy', otherRole, bounded),
    allowed('put a policy into a role with the boundary', 'iam:PutRolePolicy', role, bounded),
    refused('remove the boundary', 'iam:DeleteRolePermissionsBoundary', role, bounded),
    refused('replace the boundary', 'iam:PutRolePermissionsBoundary', role, {
      'iam:PermissionsBoundary': otherBoundary,
    }),
    allowed('give a role the boundary', 'iam:PutRolePermissionsBoundary', role, bounded),
    refused('change the boundary', 'iam:CreatePolicyVersion', boundary),
    refused('activate a version of the boundary', 'iam:SetDefaultPolicyVersion', boundary),
    refused('delete the boundary', 'iam:DeletePolicy', boundary),
    refused('create a policy', 'iam:CreatePolicy', otherBoundary),
    refused('attach AdministratorAccess', 'iam:AttachRolePolicy', role, { ...bounded, 'iam:PolicyARN': administrator }),
    refused('attach a policy to a role without the boundary', 'iam:AttachRolePolicy', roleOfBackups, {
      'iam:PolicyARN': ofBackups,
    }),
    allowed('attach the policy of backups', 'iam:AttachRolePolicy', roleOfBackups, {
      ...bounded,
      'iam:PolicyARN': ofBackups,
    }),
    refused('pass a role of another name', 'iam:PassRole', otherRole, passed('lambda.amazonaws.com')),
    refused('pass a role to EC2', 'iam:PassRole', role, passed('ec2.amazonaws.com')),
    ...['codedeploy', 'lambda', 'scheduler'].map((service) =>
      allowed(`pass a role to ${service}`, 'iam:PassRole', role, passed(`${service}.amazonaws.com`)),
    ),
    ...['backup', 'restore-testing.backup'].map((service) =>
      allowed(`pass a role to ${service}`, 'iam:PassRole', roleOfBackups, passed(`${service}.amazonaws.com`)),
    ),
    refused('create a user', 'iam:CreateUser', global('iam', 'user/intruder')),
    refused('create an access key', 'iam:CreateAccessKey', global('iam', 'user/administrator')),
    refused('assume a role', 'sts:AssumeRole', otherRole),

    refused('read an item', 'dynamodb:GetItem', table),
    refused('scan a table', 'dynamodb:Scan', table),
    refused('let another account read a table', 'dynamodb:PutResourcePolicy', table),
    refused('read a secret', 'secretsmanager:GetSecretValue', secret, { [tag]: environment }),
    refused('receive a message', 'sqs:ReceiveMessage', queue),
    refused('send a message', 'sqs:SendMessage', queue),
    refused('read logs', 'logs:FilterLogEvents', logs),
    refused('query logs', 'logs:StartQuery', logs),
    refused('invoke a function', 'lambda:InvokeFunction', lambda),
    refused('decrypt', 'kms:Decrypt', key, { [tag]: environment }),
    refused('change the policy of a foreign key', 'kms:PutKeyPolicy', key),
    refused('change a foreign function', 'lambda:UpdateFunctionCode', at('lambda', 'function:payments')),
    refused('delete a foreign table', 'dynamodb:DeleteTable', at('dynamodb', 'table/payments')),
    allowed('create a table', 'dynamodb:CreateTable', table),
    allowed('create a queue', 'sqs:CreateQueue', queue),
    allowed('create a secret', 'secretsmanager:CreateSecret', secret),
    allowed('create a function', 'lambda:CreateFunction', lambda),
    allowed('create a log group', 'logs:CreateLogGroup', logs),
    allowed('create a key', 'kms:CreateKey', '*'),
    allowed('tag the key', 'kms:TagResource', key, { [`aws:RequestTag/${environmentTag}`]: environment }),
    allowed('change the policy of the key', 'kms:PutKeyPolicy', key, { [tag]: environment }),
    allowed('encrypt a secret', 'kms:GenerateDataKey', key, {
      [tag]: environment,
      'kms:ViaService': `secretsmanager.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`,
    }),

    allowedToDeployer(
      'assume the role that deploys',
      'sts:AssumeRole',
      global('iam', `role/cdk-hnb659fds-deploy-role-${account}-${region}`),
    ),
    refusedToDeployer(
      'assume the role that looks up',
      'sts:AssumeRole',
      global('iam', `role/cdk-hnb659fds-lookup-role-${account}-${region}`),
    ),
    refusedToDeployer('assume a role of the stacks', 'sts:AssumeRole', role),
    refusedToDeployer('create a role', 'iam:CreateRole', role, bounded),
    refusedToDeployer('pass a role', 'iam:PassRole', role, passed('lambda.amazonaws.com')),
    refusedToDeployer('read an item', 'dynamodb:GetItem', table),
    refusedToDeployer('read a secret', 'secretsmanager:GetSecretValue', secret),
    refusedToDeployer('receive a message', 'sqs:ReceiveMessage', queue),
    refusedToDeployer('invoke a function', 'lambda:InvokeFunction', lambda),
    refusedToDeployer('read logs', 'logs:FilterLogEvents', logs),

    refusedToRole('create a role', 'iam:CreateRole', role, bounded),
    refusedToRole('attach AdministratorAccess', 'iam:AttachRolePolicy', role, {
      ...bounded,
      'iam:PolicyARN': administrator,
    }),
    refusedToRole('assume a role', 'sts:AssumeRole', otherRole),
    refusedToRole('pass a role', 'iam:PassRole', role, passed('lambda.amazonaws.com')),
    refusedToRole('read a foreign table', 'dynamodb:GetItem', at('dynamodb', 'table/payments')),
    refusedToRole(
      'read a foreign secret',
      'secretsmanager:GetSecretValue',
      at('secretsmanager', 'secret:payments-AbCdEf'),
    ),
    refusedToRole('read an object', 's3:GetObject', `arn:${partition}:s3:::payments/statement.csv`),
    refusedToRole('decrypt with a foreign key', 'kms:Decrypt', key),
    refusedToRole('change the network from code', 'ec2:CreateNetworkInterface', '*', {
      'lambda:SourceFunctionArn': lambda,
    }),
    allowedToRole('read an item', 'dynamodb:GetItem', table),
    allowedToRole('decrypt with the key', 'kms:Decrypt', key, { [tag]: environment }),
  ];
}

/** The policy of a role that is bounded by nothing but its boundary. */
export const everything = {
  Version: '2012-10-17',
  Statement: [{ Sid: 'Everything', Effect: 'Allow', Action: ['*'], Resource: '*' }],
} as const;
