import * as z from 'zod';
import packagedPermissions from './handler-permissions.json' with { type: 'json' };
import {
  type Arns,
  arnsOf,
  environmentTag,
  type Policy,
  type PolicyScope,
  type StackName,
  type Statement,
} from './policy.ts';

/**
 * What CloudFormation asks for when it creates, reads, updates or deletes a resource of each type: the handlers of the
 * CloudFormation registry, as cfn-lint 1.58.0 packages them.
 */
const handlerPermissions = z.record(z.string(), z.array(z.string())).parse(packagedPermissions);

/** The types of all resources that a stack can have, with every setting. A test compares them with the stacks. */
export const stackTypes: Readonly<Record<StackName, readonly string[]>> = {
  data: [
    'AWS::Backup::BackupPlan',
    'AWS::Backup::BackupSelection',
    'AWS::Backup::BackupVault',
    'AWS::Backup::RestoreTestingPlan',
    'AWS::Backup::RestoreTestingSelection',
    'AWS::DynamoDB::Table',
    'AWS::Events::Archive',
    'AWS::Events::EventBus',
    'AWS::IAM::Role',
    'AWS::KMS::Alias',
    'AWS::KMS::Key',
    'AWS::SQS::Queue',
    'AWS::SQS::QueuePolicy',
    'AWS::SecretsManager::Secret',
  ],
  service: [
    'AWS::ApiGatewayV2::Api',
    'AWS::ApiGatewayV2::ApiMapping',
    'AWS::ApiGatewayV2::DomainName',
    'AWS::ApiGatewayV2::Integration',
    'AWS::ApiGatewayV2::Route',
    'AWS::ApiGatewayV2::Stage',
    'AWS::CloudWatch::Alarm',
    'AWS::CloudWatch::CompositeAlarm',
    'AWS::CloudWatch::Dashboard',
    'AWS::CodeDeploy::Application',
    'AWS::CodeDeploy::DeploymentGroup',
    'AWS::Events::EventBusPolicy',
    'AWS::Events::Rule',
    'AWS::IAM::Policy',
    'AWS::IAM::Role',
    'AWS::Lambda::Alias',
    'AWS::Lambda::EventInvokeConfig',
    'AWS::Lambda::EventSourceMapping',
    'AWS::Lambda::Function',
    'AWS::Lambda::Permission',
    'AWS::Lambda::Version',
    'AWS::Logs::LogGroup',
    'AWS::Logs::QueryDefinition',
    'AWS::SNS::Subscription',
    'AWS::SNS::Topic',
    'AWS::SNS::TopicPolicy',
    'AWS::SQS::Queue',
    'AWS::SQS::QueuePolicy',
    'AWS::Scheduler::Schedule',
  ],
};

/** The services that get roles of the stacks: of backups, rollouts, functions, restore tests and schedules. */
const passedTo = ['backup', 'codedeploy', 'lambda', 'restore-testing.backup', 'scheduler'].map(
  (service) => `${service}.amazonaws.com`,
);

/** The policies of AWS that roles of the stacks have. */
const policiesOfAws = ['Backup', 'Restores'].map((name) => `service-role/AWSBackupServiceRolePolicyFor${name}`);

/**
 * The registry names them for types that can also belong to users and groups, for logs of S3, and for what no resource of the
 * stacks has.
 */
const unneeded = [
  /^(?:elasticfilesystem|firehose|kinesis|s3|s3files):/,
  /^codedeploy:(?:List(?:Applications|Deployment)|RegisterOnPremises)/,
  /^dynamodb:(?:ImportTable|.*Replica$|(?:Enable|Disable|Update).*(?:Kinesis|Insights))/,
  /^iam:.*(?:User|Group)Policy$/,
  /^lambda:(?:AssociateRuntimeAlias|GetCodeSigningConfig|GetLayerVersion|PassCapacityProvider|(?:Delete|Put).*(?:CodeSigning|ProvisionedConcurrency|Scaling))/,
  /^logs:(?:Delete|Put)(?:BearerToken|DataProtection|Index|LogGroupDeletion)/,
  /^sns:PutDataProtection/,
];

/** They read or write data, or allow others to. No deployment of the stacks depends on them. */
export const dataActions =
  /^dynamodb:(?:BatchWriteItem|(?:Get|Put|Update|Delete)Item|Query|Scan|(?:Put|Delete)ResourcePolicy)$|^logs:(?:CreateLogStream|PutLogEvents)$|^secretsmanager:GetSecretValue$/;

/**
 * The registry has only `logs:CreateLogDelivery` for a stage with access logs. API Gateway asks for all of these from who
 * enables access logs of an HTTP API: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging.html
 */
const accessLogActions: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGatewayV2::Stage': [
    'logs:CreateLogDelivery',
    'logs:DeleteLogDelivery',
    'logs:GetLogDelivery',
    'logs:ListLogDeliveries',
    'logs:UpdateLogDelivery',
  ],
};

type Place = {
  readonly sid: string;
  readonly actions: RegExp;
  readonly on: string | readonly string[];
  readonly condition?: NonNullable<Statement['Condition']>;
};

/** On what each action is allowed: the first place that matches counts. */
function placesOf(arns: Arns, environment: string): readonly Place[] {
  const { arn, generated, global, ownKey, via } = arns;
  const services = ['backup', 'dynamodb', 'lambda', 'secretsmanager', 'sqs'].map(via);
  return [
    { sid: 'Tables', actions: /^dynamodb:/, on: generated('dynamodb', 'table/') },
    { sid: 'Queues', actions: /^sqs:/, on: generated('sqs') },
    { sid: 'ByNoName', actions: byNoName, on: '*' },
    {
      sid: 'EventSources',
      actions: /^lambda:(?:Create|Delete|Update)EventSourceMapping$/,
      on: '*',
      condition: { ArnLike: { 'lambda:FunctionArn': generated('lambda', 'function:') } },
    },
    {
      sid: 'TagsOfFunctions',
      actions: /^lambda:(?:ListTags|TagResource|UntagResource|GetEventSourceMapping)$/,
      on: [...generated('lambda', 'function:'), arn('lambda', 'event-source-mapping:*')],
    },
    { sid: 'Functions', actions: /^lambda:/, on: generated('lambda', 'function:') },
    {
      sid: 'LogGroups',
      actions: /^logs:/,
      on: [
        ...generated('logs', 'log-group:'),
        arn('logs', `log-group:/aws/vendedlogs/apigateway/drawbridge-${environment}-service-*`),
      ],
    },
    { sid: 'Topics', actions: /^sns:/, on: generated('sns') },
    { sid: 'Secrets', actions: /^secretsmanager:/, on: arns.secrets },
    {
      sid: 'Buses',
      actions: /^events:/,
      on: [
        arns.bus,
        arn('events', `rule/drawbridge-${environment}/*`),
        ...generated('events', 'rule/'),
        arn('events', 'archive/*'),
      ],
    },
    {
      sid: 'Rollouts',
      actions: ofRollouts,
      on: [
        ...generated('codedeploy', 'application:'),
        ...generated('codedeploy', 'deploymentgroup:'),
        arn('codedeploy', 'deploymentconfig:CodeDeployDefault.*'),
      ],
    },
    { sid: 'Schedules', actions: /^scheduler:/, on: generated('scheduler', 'schedule/default/') },
    {
      sid: 'Alarms',
      actions: /^cloudwatch:/,
      on: [
        arn('cloudwatch', `alarm:drawbridge-${environment}-*`),
        global('cloudwatch', `dashboard/drawbridge-${environment}-*`),
      ],
    },
    {
      sid: 'Aliases',
      actions: /^kms:(?:Create|Delete|Update)Alias$/,
      // A condition on the tags of the key would refuse the alias, which has no tags.
      on: [...['', '-*'].map((end) => arn('kms', `alias/drawbridge-${environment}${end}`)), arn('kms', 'key/*')],
    },
    {
      sid: 'TagsOfKeys',
      actions: /^kms:TagResource$/,
      on: arn('kms', 'key/*'),
      condition: { StringEquals: { [`aws:RequestTag/${environmentTag}`]: environment } },
    },
    {
      sid: 'KeyForServices',
      actions: /^kms:(?:Decrypt|Encrypt|GenerateDataKey|ReEncrypt|.*Grant$)/,
      on: arn('kms', 'key/*'),
      condition: { StringEquals: ownKey, StringLike: { 'kms:ViaService': services } },
    },
    { sid: 'Keys', actions: /^kms:/, on: arn('kms', 'key/*'), condition: { StringEquals: ownKey } },
    {
      sid: 'Apis',
      actions: /^apigateway:/,
      on: ['/apis', '/apis/*', '/domainnames', '/domainnames/*', '/tags/*'].map((path) =>
        arn('apigateway', path).replace(/:\d{12}:/, '::'),
      ),
    },
    {
      sid: 'Backups',
      actions: /^backup:/,
      on: [arn('backup', 'backup-vault:*'), arn('backup', 'backup-plan:*'), arn('backup', 'restore-testing-plan:*')],
    },
  ];
}

/** They take no resource, or one that has no name of the stacks. */
const byNoName =
  /^(?:backup-storage|ec2):|^backup:ListRestoreTesting|^cloudwatch:DescribeAlarms$|^codedeploy:StopDeployment$|^kms:(?:CreateKey|ListAliases)$|^secretsmanager:GetRandomPassword$|^sns:(?:GetSubscriptionAttributes|SetSubscriptionAttributes|Unsubscribe)$|^logs:.*(?:LogDeliver|ResourcePolic|QueryDefinition|DescribeLogGroups|DescribeIndexPolicies)/;

const ofRollouts = /^codedeploy:/;

/**
 * What CloudFormation may do with the resources of a stack of an environment, its roles and rollouts left out. The role by which
 * CloudFormation deploys has this policy of both stacks, and the one for roles and rollouts: IAM takes no policy as long as all three.
 */
export function executionPolicy(stack: StackName, scope: PolicyScope): Policy {
  return { Version: '2012-10-17', Statement: statementsOf(stack, scope, (action) => !ofRollouts.test(action)) };
}

function statementsOf(
  stack: StackName,
  scope: PolicyScope,
  isAllowed: (action: string) => boolean,
): readonly Statement[] {
  const needed = [...new Set(stackTypes[stack].flatMap(permissionsOf))].filter(isNeeded);
  const places = placesOf(arnsOf(scope, [stack]), scope.environment);
  const byPlace = Map.groupBy(needed.filter(isAllowed).toSorted(), (action) => placeOf(action, places));
  return [...byPlace].map(([{ sid, on, condition }, allowed]) => ({
    Sid: sid,
    Effect: 'Allow' as const,
    Action: allowed,
    Resource: on,
    ...(condition !== undefined && { Condition: condition }),
  }));
}

function isNeeded(action: string): boolean {
  return ![/^iam:/, dataActions, ...unneeded].some((pattern) => pattern.test(action));
}

function placeOf(action: string, places: readonly Place[]): Place {
  const place = places.find(({ actions }) => actions.test(action));
  if (place === undefined) throw new TypeError(`Say in cli/policy/deployment what ${action} is allowed on.`);
  return place;
}

/** AWS documents the key `iam:PermissionsBoundary` for all of them. */
const guardedActions = ['iam:CreateRole', 'iam:PutRolePermissionsBoundary', 'iam:PutRolePolicy'];
const attachments = ['iam:AttachRolePolicy', 'iam:DetachRolePolicy'];
const removal = 'iam:DeleteRolePermissionsBoundary';

/**
 * What CloudFormation may do with the roles of both stacks and with rollouts, and what it reads of the bootstrap. CloudFormation can make no role
 * without the boundary, and can neither remove nor change the boundary.
 */
export function rolesPolicy(scope: PolicyScope): Policy {
  const { boundary, global, managed, roles } = arnsOf(scope);
  const bounded = { StringEquals: { 'iam:PermissionsBoundary': boundary } };
  const special = [...guardedActions, ...attachments, removal, 'iam:PassRole', 'iam:CreateServiceLinkedRole'];
  const others = new Set(['AWS::IAM::Policy', 'AWS::IAM::Role'].flatMap(permissionsOf));
  return {
    Version: '2012-10-17',
    Statement: [
      { Sid: 'RolesWithBoundary', Effect: 'Allow', Action: guardedActions, Resource: roles, Condition: bounded },
      {
        Sid: 'PoliciesOfAws',
        Effect: 'Allow',
        Action: attachments,
        Resource: roles,
        Condition: { ...bounded, ArnEquals: { 'iam:PolicyARN': policiesOfAws.map(managed) } },
      },
      {
        Sid: 'Roles',
        Effect: 'Allow',
        Action: [...others].filter((action) => /Role/.test(action) && !special.includes(action)).toSorted(),
        Resource: roles,
      },
      {
        Sid: 'RolesOfServices',
        Effect: 'Allow',
        Action: ['iam:PassRole'],
        Resource: roles,
        Condition: { StringEquals: { 'iam:PassedToService': passedTo } },
      },
      {
        Sid: 'RolesThatServicesMake',
        Effect: 'Allow',
        Action: ['iam:CreateServiceLinkedRole'],
        Resource: global('iam', 'role/aws-service-role/*'),
        Condition: {
          StringEquals: {
            'iam:AWSServiceName': [
              'backup.amazonaws.com',
              'restore-testing.backup.amazonaws.com',
              'ops.apigateway.amazonaws.com',
            ],
          },
        },
      },
      { Sid: 'KeepTheBoundary', Effect: 'Deny', Action: [removal], Resource: '*' },
      {
        Sid: 'LeaveTheBoundary',
        Effect: 'Deny',
        Action: ['CreatePolicyVersion', 'DeletePolicy', 'DeletePolicyVersion', 'SetDefaultPolicyVersion'].map(
          (action) => `iam:${action}`,
        ),
        Resource: boundary,
      },
      ...statementsOf('service', scope, (action) => ofRollouts.test(action)),
      ...bootstrapStatements(scope),
    ],
  };
}

function bootstrapStatements({ partition, account }: Pick<PolicyScope, 'partition' | 'account'>): readonly Statement[] {
  return [
    { Sid: 'Assets', Effect: 'Allow', Action: ['s3:GetObject'], Resource: `arn:${partition}:s3:::cdk-*-assets-*` },
    {
      Sid: 'BootstrapVersion',
      Effect: 'Allow',
      Action: ['ssm:GetParameters'],
      Resource: `arn:${partition}:ssm:*:${account}:parameter/cdk-bootstrap/*`,
    },
  ];
}

/**
 * The policy of releases up to 0.2.0, for roles without a boundary. Unsafe: who deploys can make a role that may do
 * everything. The next release has it no longer.
 *
 * @throws {TypeError} for a type that `handler-permissions.json` lacks
 */
export function unsafeExecutionPolicy(types: Iterable<string>): Policy {
  const ofRoles = 'arn:aws:iam::*:role/drawbridge-*';
  const isNamed = (action: string) => !/^s3files:|^s3:REST|^s3:getObject|^iam:.*(?:User|Group)Policy$/.test(action);
  const actions = new Set([...types].flatMap(permissionsOf).filter(isNamed));
  const others = [...actions].filter((action) => !action.startsWith('iam:')).toSorted();
  const roles = [...actions].filter((action) => /^iam:(?!PassRole|CreateServiceLinkedRole)/.test(action)).toSorted();
  return {
    Version: '2012-10-17',
    Statement: [
      { Sid: 'Resources', Effect: 'Allow', Action: others, Resource: '*' },
      // A data stack has a role if tables are backed up.
      { Sid: 'Roles', Effect: 'Allow', Action: roles, Resource: ofRoles },
      {
        Sid: 'RolesOfServices',
        Effect: 'Allow',
        Action: ['iam:PassRole'],
        Resource: ofRoles,
        Condition: { StringEquals: { 'iam:PassedToService': passedTo } },
      },
      {
        Sid: 'RolesThatServicesMake',
        Effect: 'Allow',
        Action: ['iam:CreateServiceLinkedRole'],
        Resource: 'arn:aws:iam::*:role/aws-service-role/*',
      },
      ...bootstrapStatements({ partition: 'aws', account: '*' }),
    ],
  };
}

function permissionsOf(type: string): readonly string[] {
  const permissions = handlerPermissions[type];
  if (permissions === undefined)
    throw new TypeError(`Add the permissions of ${type} to cli/policy/deployment/handler-permissions.json.`);
  return [...permissions, ...(accessLogActions[type] ?? [])];
}
