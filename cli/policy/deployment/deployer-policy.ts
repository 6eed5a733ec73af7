import { arnsOf, type Policy, type PolicyScope, type Statement } from './policy.ts';

function readTheStacks(scope: PolicyScope): Statement {
  return {
    Sid: 'ReadTheStacks',
    Effect: 'Allow',
    Action: [
      'cloudformation:DescribeStackResource',
      'cloudformation:DescribeStackResources',
      'cloudformation:DescribeStacks',
      'cloudformation:ListStackResources',
    ],
    Resource: arnsOf(scope).stacks,
  };
}

/**
 * The policy of who runs `cdk deploy`. Two roles of the bootstrap do the rest. The third, for look-ups, may read what the whole
 * account holds, and no stack of Drawbridge reads any of it.
 */
export function deployerPolicy(scope: PolicyScope): Policy {
  const { global } = arnsOf(scope);
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'RolesOfTheBootstrap',
        Effect: 'Allow',
        Action: ['sts:AssumeRole'],
        Resource: ['deploy', 'file-publishing'].map((name) =>
          global('iam', `role/cdk-*-${name}-role-${scope.account}-*`),
        ),
      },
      readTheStacks(scope),
      {
        Sid: 'ReadTheQuotas',
        Effect: 'Allow',
        Action: ['lambda:GetAccountSettings', 'servicequotas:ListServiceQuotas'],
        Resource: '*',
      },
    ],
  };
}

/** The policy of who runs step 5 of docs/how-to/deploy.md, and steps 3, 6 and 7 by the calls of docs/how-to/without-the-command-line.md. */
export function firstRunPolicy(scope: PolicyScope): Policy {
  const { arn, generated, ownKey, secrets, via } = arnsOf(scope);
  return {
    Version: '2012-10-17',
    Statement: [
      readTheStacks(scope),
      {
        Sid: 'StoreTheCredentials',
        Effect: 'Allow',
        Action: ['secretsmanager:PutSecretValue'],
        Resource: secrets.filter((secret) => !/PlatformToken|WebhookSecret/.test(secret)).map(ofCredentials),
      },
      {
        Sid: 'EncryptTheCredentials',
        Effect: 'Allow',
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Resource: arn('kms', 'key/*'),
        Condition: { StringEquals: ownKey, StringLike: { 'kms:ViaService': via('secretsmanager') } },
      },
      {
        Sid: 'SubscribeToTheAlarms',
        Effect: 'Allow',
        Action: ['sns:ListSubscriptionsByTopic', 'sns:Subscribe'],
        Resource: generated('sns'),
      },
      {
        Sid: 'FireATestAlarm',
        Effect: 'Allow',
        Action: ['cloudwatch:SetAlarmState'],
        Resource: arn('cloudwatch', `alarm:drawbridge-${scope.environment}-*`),
      },
      {
        Sid: 'PlanRegistrations',
        Effect: 'Allow',
        Action: ['lambda:InvokeFunction'],
        Resource: generated('lambda', 'function:').map((name) => `${name}-WebhookIngestRegister*`),
      },
      {
        Sid: 'SeeTheFirstWebhook',
        Effect: 'Allow',
        Action: ['logs:FilterLogEvents'],
        Resource: generated('logs', 'log-group:').map((name) => `${name}-WebhookIngestStoreLogs*`),
      },
    ],
  };
}

function ofCredentials(secret: string): string {
  return secret.includes('PlatformCredentials') ? secret : `${secret}PlatformCredentials*`;
}
