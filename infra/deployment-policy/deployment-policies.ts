import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/**
 * What CloudFormation asks for when it creates, reads, updates or deletes a resource of each type: the handlers of the
 * CloudFormation registry, as cfn-lint 1.58.0 packages them.
 */
const handlerPermissions = z
  .record(z.string(), z.array(z.string()))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'handler-permissions.json'), 'utf8')));

type Statement = {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
};

export type Policy = { readonly Version: '2012-10-17'; readonly Statement: readonly Statement[] };

/** A stack has a resource of a type of which nothing is known. */
export class UnknownTypeError extends Error {
  override readonly name = 'UnknownTypeError';
}

/** What hands roles of the stacks to functions, schedules and backups. */
const passedTo = ['backup.amazonaws.com', 'lambda.amazonaws.com', 'scheduler.amazonaws.com'];

/** The registry names them for types that can also belong to users and groups, or for logs of S3. */
const isNeeded = (action: string) => !/^s3files:|^s3:REST|^s3:getObject|^iam:.*(?:User|Group)Policy$/.test(action);

const ofRoles = 'arn:aws:iam::*:role/drawbridge-*';

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

/**
 * The policy of the role by which CloudFormation deploys a stack, given the types of the stack's resources.
 *
 * @throws {UnknownTypeError} for a type that `handler-permissions.json` lacks
 */
export function executionPolicy(types: Iterable<string>): Policy {
  const actions = new Set([...types].flatMap(permissionsOf).filter(isNeeded));
  const others = [...actions].filter((action) => !action.startsWith('iam:')).toSorted();
  const roles = [...actions].filter((action) => /^iam:(?!PassRole|CreateServiceLinkedRole)/.test(action)).toSorted();
  return {
    Version: '2012-10-17',
    Statement: [
      { Sid: 'Resources', Effect: 'Allow', Action: others, Resource: '*' },
      // A data stack has a role where tables are backed up.
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
      { Sid: 'Assets', Effect: 'Allow', Action: ['s3:GetObject'], Resource: 'arn:aws:s3:::cdk-*-assets-*' },
      {
        Sid: 'BootstrapVersion',
        Effect: 'Allow',
        Action: ['ssm:GetParameters'],
        Resource: 'arn:aws:ssm:*:*:parameter/cdk-bootstrap/*',
      },
    ],
  };
}

function permissionsOf(type: string): readonly string[] {
  const permissions = handlerPermissions[type];
  if (permissions === undefined)
    throw new UnknownTypeError(`Add the permissions of ${type} to infra/deployment-policy/handler-permissions.json.`);
  return [...permissions, ...(accessLogActions[type] ?? [])];
}

/** The policy of who runs `cdk deploy` and the commands of steps 1 to 7 of docs/how-to/deploy.md. Roles of the bootstrap do the rest. */
export function deployerPolicy(): Policy {
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'RolesOfTheBootstrap',
        Effect: 'Allow',
        Action: ['sts:AssumeRole'],
        Resource: 'arn:aws:iam::*:role/cdk-*',
      },
      {
        Sid: 'ReadTheStacks',
        Effect: 'Allow',
        Action: [
          'cloudformation:DescribeStackResource',
          'cloudformation:DescribeStackResources',
          'cloudformation:DescribeStacks',
        ],
        Resource: 'arn:aws:cloudformation:*:*:stack/drawbridge-*',
      },
      {
        Sid: 'StoreTheCredentials',
        Effect: 'Allow',
        Action: ['secretsmanager:PutSecretValue'],
        // CloudFormation makes up the name, and no documentation says whether the name begins with that of the stack.
        Resource: [
          'arn:aws:secretsmanager:*:*:secret:PlatformCredentials*',
          'arn:aws:secretsmanager:*:*:secret:drawbridge-*-PlatformCredentials*',
        ],
      },
      {
        Sid: 'EncryptTheCredentials',
        Effect: 'Allow',
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Resource: 'arn:aws:kms:*:*:key/*',
        Condition: { StringLike: { 'kms:ViaService': ['secretsmanager.*.amazonaws.com'] } },
      },
      {
        Sid: 'SubscribeToTheAlarms',
        Effect: 'Allow',
        Action: ['sns:ListSubscriptionsByTopic', 'sns:Subscribe'],
        Resource: 'arn:aws:sns:*:*:drawbridge-*',
      },
      {
        Sid: 'FireATestAlarm',
        Effect: 'Allow',
        Action: ['cloudwatch:SetAlarmState'],
        Resource: 'arn:aws:cloudwatch:*:*:alarm:drawbridge-*',
      },
      {
        Sid: 'PlanRegistrations',
        Effect: 'Allow',
        Action: ['lambda:InvokeFunction'],
        Resource: 'arn:aws:lambda:*:*:function:drawbridge-*-WebhookIngestRegister*',
      },
      {
        Sid: 'SeeTheFirstWebhook',
        Effect: 'Allow',
        Action: ['logs:FilterLogEvents'],
        Resource: 'arn:aws:logs:*:*:log-group:drawbridge-*-WebhookIngestStoreLogs*',
      },
      {
        Sid: 'ReadTheQuotas',
        Effect: 'Allow',
        Action: ['lambda:GetAccountSettings', 'servicequotas:ListServiceQuotas'],
        Resource: '*',
      },
    ],
  };
}
