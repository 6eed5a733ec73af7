import { arnsOf, type Policy, type PolicyScope } from './policy.ts';

/**
 * The most that any role of the stacks may do, whatever its own policies say: work with the data of the environment. A role
 * with this boundary gives no user more rights. A test compares the boundary with what the roles of the stacks are granted.
 */
export function permissionsBoundary(scope: PolicyScope): Policy {
  const { arn, bus, generated, ownKey, secrets, via } = arnsOf(scope);
  const tables = generated('dynamodb', 'table/');
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'Tables',
        Effect: 'Allow',
        Action: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem'].map(
          (action) => `dynamodb:${action}`,
        ),
        Resource: tables,
      },
      {
        Sid: 'Queues',
        Effect: 'Allow',
        Action: ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage', 'SendMessage'].map(
          (action) => `sqs:${action}`,
        ),
        Resource: generated('sqs'),
      },
      {
        Sid: 'Secrets',
        Effect: 'Allow',
        Action: ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
        Resource: secrets,
      },
      {
        Sid: 'Key',
        Effect: 'Allow',
        Action: ['kms:Decrypt', 'kms:DescribeKey', 'kms:GenerateDataKey'],
        Resource: arn('kms', 'key/*'),
        Condition: { StringEquals: ownKey },
      },
      { Sid: 'Bus', Effect: 'Allow', Action: ['events:PutEvents'], Resource: bus },
      {
        Sid: 'Functions',
        Effect: 'Allow',
        Action: ['lambda:InvokeFunction'],
        Resource: generated('lambda', 'function:'),
      },
      {
        Sid: 'Rollouts',
        Effect: 'Allow',
        Action: ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'],
        Resource: generated('lambda', 'function:'),
      },
      { Sid: 'ReadAlarms', Effect: 'Allow', Action: ['cloudwatch:DescribeAlarms'], Resource: '*' },
      {
        Sid: 'Logs',
        Effect: 'Allow',
        Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: generated('logs', 'log-group:'),
      },
      {
        Sid: 'Traces',
        Effect: 'Allow',
        Action: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
        Resource: '*',
      },
      {
        Sid: 'NetworkByLambdaItself',
        Effect: 'Allow',
        Action: [
          'ec2:AssignPrivateIpAddresses',
          'ec2:CreateNetworkInterface',
          'ec2:DeleteNetworkInterface',
          'ec2:DescribeNetworkInterfaces',
          'ec2:DescribeSubnets',
          'ec2:UnassignPrivateIpAddresses',
        ],
        Resource: '*',
        // Lambda sets the key when the code of a function calls.
        Condition: { Null: { 'lambda:SourceFunctionArn': 'true' } },
      },
      {
        Sid: 'BackUpTables',
        Effect: 'Allow',
        Action: [
          'dynamodb:CreateBackup',
          'dynamodb:DeleteBackup',
          'dynamodb:DescribeBackup',
          'dynamodb:DescribeTable',
          'dynamodb:ListTagsOfResource',
          'dynamodb:StartAwsBackupJob',
        ],
        Resource: tables,
      },
      {
        Sid: 'KeepBackups',
        Effect: 'Allow',
        Action: ['backup:CopyIntoBackupVault', 'backup:DescribeBackupVault'],
        // A copy may go to another account.
        Resource: `arn:${scope.partition}:backup:*:*:backup-vault:*`,
      },
      { Sid: 'CopyBackups', Effect: 'Allow', Action: ['backup:CopyFromBackupVault'], Resource: '*' },
      {
        Sid: 'KeyOfBackups',
        Effect: 'Allow',
        Action: ['kms:CreateGrant'],
        Resource: arn('kms', 'key/*'),
        Condition: { Bool: { 'kms:GrantIsForAWSResource': 'true' }, StringEquals: ownKey },
      },
      {
        Sid: 'KeyOfRestores',
        Effect: 'Allow',
        Action: ['Encrypt', 'GenerateDataKeyWithoutPlaintext', 'ReEncryptFrom', 'ReEncryptTo'].map(
          (action) => `kms:${action}`,
        ),
        Resource: arn('kms', 'key/*'),
        Condition: { StringEquals: ownKey, StringLike: { 'kms:ViaService': via('dynamodb') } },
      },
      {
        Sid: 'TestRestores',
        Effect: 'Allow',
        Action: [
          'RestoreTableFromAwsBackup',
          'DescribeTable',
          'Query',
          'Scan',
          'GetItem',
          'PutItem',
          'UpdateItem',
          'DeleteItem',
          'BatchWriteItem',
        ].map((action) => `dynamodb:${action}`),
        Resource: arn('dynamodb', 'table/awsbackup-restore-test-*'),
      },
      { Sid: 'FindTables', Effect: 'Allow', Action: ['tag:GetResources'], Resource: '*' },
      // A statement that is added later gives no role these.
      { Sid: 'NoRights', Effect: 'Deny', Action: ['iam:*', 'organizations:*', 'sts:AssumeRole*'], Resource: '*' },
    ],
  };
}
