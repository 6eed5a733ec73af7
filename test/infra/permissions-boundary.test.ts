import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { permissionsBoundary } from '#cli/policy/deployment/permissions-boundary.ts';
import { environmentTag, type Policy, type Statement } from '#cli/policy/deployment/policy.ts';
import { isAllowed } from '#test/cli/policy/is-allowed.ts';
import { everySetting } from '#tools/release/every-setting.ts';
import { createTrialApp } from './trial-app.ts';

const scope = { partition: 'aws', account: '111122223333', environment: 'trial' } as const;

const list = z.unknown().transform((value): readonly unknown[] => [value].flat());
const statement = z.object({
  Effect: z.enum(['Allow', 'Deny']),
  Action: list.pipe(z.array(z.string())),
  Resource: list,
});
const template = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.looseObject({
        PolicyDocument: z.optional(z.object({ Statement: z.array(statement) })),
        PermissionsBoundary: z.optional(z.unknown()),
      }),
    }),
  ),
  Outputs: z.record(z.string(), z.object({ Value: z.unknown(), Export: z.optional(z.object({ Name: z.unknown() })) })),
});

/** Both stacks, as CloudFormation gets them. */
function stacksWith(settings: Readonly<Record<string, unknown>>) {
  const { data, service } = createTrialApp(settings);
  const [ofData, ofService] = [data, service].map((stack) => template.parse(Template.fromStack(stack).toJSON()));
  if (ofData === undefined || ofService === undefined) throw new TypeError('There are no stacks.');
  return { data: ofData, service: ofService };
}

type Stacks = ReturnType<typeof stacksWith>;

const before: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'dynamodb:eu-central-1:111122223333:table/',
  'AWS::Lambda::Function': 'lambda:eu-central-1:111122223333:function:',
  'AWS::Logs::LogGroup': 'logs:eu-central-1:111122223333:log-group:',
  'AWS::SQS::Queue': 'sqs:eu-central-1:111122223333:',
};

const pseudo: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'eu-central-1',
  'AWS::AccountId': '111122223333',
};

/** A reference of a template as CloudFormation resolves it, with a name as CloudFormation generates it. */
function resolve(value: unknown, stacks: Stacks, stack: keyof Stacks): string {
  if (typeof value === 'string') return value;
  const { 'Fn::Join': joined, 'Fn::ImportValue': imported, 'Fn::GetAtt': attribute, Ref: ref } = reference.parse(value);
  if (joined !== undefined) return joined[1].map((part) => resolve(part, stacks, stack)).join(joined[0]);
  if (imported !== undefined) {
    const output = Object.values(stacks.data.Outputs).find(({ Export }) => Export?.Name === imported);
    return resolve(output?.Value, stacks, 'data');
  }
  const id = attribute?.[0] ?? ref ?? '';
  const known = pseudo[id];
  if (known !== undefined) return known;
  const type = stacks[stack].Resources[id]?.Type ?? '';
  if (type === 'AWS::Events::EventBus') return 'arn:aws:events:eu-central-1:111122223333:event-bus/drawbridge-trial';
  if (type === 'AWS::KMS::Key') return 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
  if (type === 'AWS::SecretsManager::Secret')
    return `arn:aws:secretsmanager:eu-central-1:111122223333:secret:${id}-AbCdEfGhIjKl-AbCdEf`;
  const prefix = before[type];
  if (prefix === undefined) throw new TypeError(`No name is known of a ${type}.`);
  return `arn:aws:${prefix}${`drawbridge-trial-${stack}`.slice(0, 24)}-${id.slice(0, 24)}-1A2B3C4D5E6F`;
}

const reference = z.object({
  'Fn::Join': z.optional(z.tuple([z.string(), z.array(z.unknown())])),
  'Fn::ImportValue': z.optional(z.string()),
  'Fn::GetAtt': z.optional(z.tuple([z.string(), z.string()])),
  Ref: z.optional(z.string()),
});

/** What the roles of both stacks are granted, a pair of an action and a resource each. */
function grantsOf(stacks: Stacks) {
  const grants = (['data', 'service'] as const).flatMap((stack) =>
    Object.values(stacks[stack].Resources)
      .filter(({ Type }) => Type === 'AWS::IAM::Policy')
      .flatMap(({ Properties }) => Properties.PolicyDocument?.Statement ?? [])
      .filter(({ Effect }) => Effect === 'Allow')
      .flatMap(({ Action, Resource }) =>
        Action.flatMap((action) => Resource.map((one) => ({ action, resource: resolve(one, stacks, stack) }))),
      ),
  );
  return [...new Map(grants.map((grant) => [JSON.stringify(grant), grant])).values()];
}

const grantsAll = (action: string): Policy => ({
  Version: '2012-10-17',
  Statement: [{ Sid: 'Granted', Effect: 'Allow', Action: [action], Resource: '*' } satisfies Statement],
});

/** What the role of AWS Backup needs for a table, of the policy that AWS keeps for all that can be backed up. */
const backupActions = [
  'dynamodb:CreateBackup',
  'dynamodb:DescribeTable',
  'dynamodb:ListTagsOfResource',
  'dynamodb:StartAwsBackupJob',
].map((action) => ({
  action,
  resource: 'arn:aws:dynamodb:eu-central-1:111122223333:table/drawbridge-trial-data-Events',
}));

describe('the permissions boundary', () => {
  const cases = [
    ['the default settings', {}],
    ['every setting', everySetting],
  ] as const;

  it.each(cases)('allows all that the roles of the stacks are granted with %s', (_name, settings) => {
    const grants = grantsOf(stacksWith(settings));
    expect(grants.length).toBeGreaterThan(50);
    const context = { [`aws:ResourceTag/${environmentTag}`]: 'trial' };
    const boundary = permissionsBoundary(scope);
    const refused = [...grants, ...backupActions].filter(
      (grant) => !isAllowed({ ...grant, context }, [grantsAll(grant.action)], boundary),
    );
    expect(refused).toEqual([]);
  });

  it('allows no action that no role of the stacks is granted', () => {
    const granted = new Set(grantsOf(stacksWith(everySetting)).map(({ action }) => action));
    const ofBackups = /^(?:dynamodb:.*(?:Backup|Describe|ListTags)|backup:|tag:|kms:(?:CreateGrant|DescribeKey))/;
    const allowed = permissionsBoundary(scope).Statement.flatMap(({ Effect, Action }) =>
      Effect === 'Allow' ? Action : [],
    );
    expect(allowed.filter((action) => !granted.has(action) && !ofBackups.test(action))).toEqual([]);
  });

  it('is the boundary of every role of both stacks with the setting', () => {
    const { data, service } = stacksWith(everySetting);
    const roles = [data, service].flatMap(({ Resources }) =>
      Object.values(Resources).filter(({ Type }) => Type === 'AWS::IAM::Role'),
    );
    // One of each function and schedule, and that of the backups.
    expect(roles.length).toBeGreaterThan(15);
    for (const { Properties } of roles)
      expect(JSON.stringify(Properties.PermissionsBoundary)).toContain(':policy/drawbridge-trial-boundary"');
  });

  it('can be named by its ARN', () => {
    const permissionsBoundaryArn = 'arn:aws-us-gov:iam::111122223333:policy/security/boundary';
    const { service } = stacksWith({ permissionsBoundary: permissionsBoundaryArn });
    const bounds = Object.values(service.Resources).filter(({ Type }) => Type === 'AWS::IAM::Role');
    expect(new Set(bounds.map(({ Properties }) => Properties.PermissionsBoundary))).toEqual(
      new Set([permissionsBoundaryArn]),
    );
  });

  it('is of no role without the setting', () => {
    for (const { Resources } of Object.values(stacksWith({})))
      expect(Object.values(Resources).filter(({ Properties }) => Properties.PermissionsBoundary !== undefined)).toEqual(
        [],
      );
  });
});
