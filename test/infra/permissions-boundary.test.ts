import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { permissionsBoundary } from '#cli/policy/deployment/permissions-boundary.ts';
import { environmentTag, type Policy, type Statement } from '#cli/policy/deployment/policy.ts';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { isAllowed } from '#test/cli/policy/is-allowed.ts';
import { grantsOf } from '#test/infra/stacks/granted-permissions.ts';
import type { ReadableResource } from '#test/infra/stacks/readable-stack.ts';
import { everySetting } from '#tools/release/every-setting.ts';
import { createTrialApp, trialResources } from './shared-trial-apps.ts';

const scope = { partition: 'aws', account: '111122223333', environment: 'trial' } as const;
const boundary = permissionsBoundary(scope);

/** The ARN of a resource up to the name that CloudFormation generates, by its type. */
const beforeName: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'dynamodb:eu-central-1:111122223333:table/',
  'AWS::Lambda::Function': 'lambda:eu-central-1:111122223333:function:',
  'AWS::Logs::LogGroup': 'logs:eu-central-1:111122223333:log-group:',
  'AWS::SQS::Queue': 'sqs:eu-central-1:111122223333:',
};

function arnOf({ Type, id }: ReadableResource, stack: string): string {
  if (Type === 'AWS::Events::EventBus') return 'arn:aws:events:eu-central-1:111122223333:event-bus/drawbridge-trial';
  if (Type === 'AWS::KMS::Key') return 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
  if (Type === 'AWS::SecretsManager::Secret')
    return `arn:aws:secretsmanager:eu-central-1:111122223333:secret:${id}-AbCdEfGhIjKl-AbCdEf`;
  const before = beforeName[Type];
  if (before === undefined) throw new TypeError(`No name is known of a ${Type}.`);
  return `arn:aws:${before}${`drawbridge-trial-${stack}`.slice(0, 24)}-${id.slice(0, 24)}-1A2B3C4D5E6F`;
}

/** What the roles of both stacks are granted, each resource as CloudFormation resolves it. */
function grantsWith(settings: Readonly<Record<string, unknown>>) {
  const { data, service } = trialResources(settings);
  const arns = new Map([
    ...data.map((resource) => [resource.name, () => arnOf(resource, 'data')] as const),
    ...service.map((resource) => [resource.name, () => arnOf(resource, 'service')] as const),
  ]);
  const resolve = (text: string) =>
    text
      .replaceAll('<AWS::Partition>', scope.partition)
      .replaceAll('<AWS::Region>', 'eu-central-1')
      .replaceAll('<AWS::AccountId>', scope.account)
      .replaceAll(/<([^<>.]+)(?:\.Arn)?>/g, (reference, name: string) => arns.get(name)?.() ?? reference);
  return [data, service]
    .flatMap((stack) =>
      stack.filter(({ Type }) => Type === 'AWS::IAM::Role').flatMap(({ name }) => grantsOf(stack, name)),
    )
    .filter(({ effect }) => effect === 'Allow')
    .map(({ action, resource }) => ({ action, resource: resolve(resource) }));
}

const grantsAll = (action: string): Policy => ({
  Version: '2012-10-17',
  Statement: [{ Sid: 'Granted', Effect: 'Allow', Action: [action], Resource: '*' } satisfies Statement],
});

/** What the roles of AWS Backup need to back up, copy and restore a table, of the policies that AWS keeps for all that can be backed up. */
const backupGrants = [
  ...['CreateBackup', 'DescribeTable', 'ListTagsOfResource', 'StartAwsBackupJob'].map((action) => ({
    action: `dynamodb:${action}`,
    resource: 'arn:aws:dynamodb:eu-central-1:111122223333:table/drawbridge-trial-data-Events',
  })),
  { action: 'backup:CopyIntoBackupVault', resource: 'arn:aws:backup:us-west-2:444455556666:backup-vault:far' },
  {
    action: 'backup:CopyFromBackupVault',
    resource: 'arn:aws:dynamodb:eu-central-1:111122223333:table/drawbridge-trial-data-Events/backup/01ab',
  },
  ...['Encrypt', 'GenerateDataKeyWithoutPlaintext', 'ReEncryptFrom', 'ReEncryptTo'].map((action) => ({
    action: `kms:${action}`,
    resource: 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab',
  })),
];

describe('the permissions boundary', () => {
  it.each([
    ['the default settings', {}],
    ['every setting', everySetting],
  ])('allows all that the roles of the stacks are granted with %s', (_, settings) => {
    const grants = grantsWith(settings);
    expect(grants.length).toBeGreaterThan(50);
    const context = {
      [`aws:ResourceTag/${environmentTag}`]: 'trial',
      'kms:ViaService': 'dynamodb.eu-central-1.amazonaws.com',
    };
    const refused = [...grants, ...backupGrants].filter(
      (grant) => !isAllowed({ ...grant, context }, [grantsAll(grant.action)], boundary),
    );
    expect(refused).toEqual([]);
  });

  it('allows no action that no role of the stacks is granted', () => {
    const granted = new Set(grantsWith(everySetting).map(({ action }) => action));
    const ofBackups =
      /^(?:dynamodb:.*(?:Backup|Describe|ListTags|BatchWrite)|backup:|tag:|kms:(?:CreateGrant|DescribeKey|Encrypt|GenerateDataKeyWithout|ReEncrypt))/;
    const allowed = boundary.Statement.flatMap(({ Effect, Action }) => (Effect === 'Allow' ? Action : []));
    expect(allowed.filter((action) => !granted.has(action) && !ofBackups.test(action))).toEqual([]);
  });
});

describe('a role of the stacks', () => {
  const page = readFileSync(join(repositoryRoot, 'docs/how-to/deploy.md'), 'utf8');
  const section = page.split('## Follow the rules of your account')[1] ?? '';
  /** The file that the page shows. */
  const context = z.record(z.string(), z.unknown()).parse(JSON.parse(/```json\n(.*?)```/s.exec(section)?.[1] ?? ''));
  const asText = JSON.stringify(context['@aws-cdk/core:permissionsBoundary']);

  const { permissionsBoundary: named, ...others } = everySetting;
  const arn = 'arn:aws-us-gov:iam::111122223333:policy/security/boundary';
  const arnOfPolicy = (name: string) => `arn:<AWS::Partition>:iam::<AWS::AccountId>:policy/${name}`;

  it.each([
    ['the setting with a name', { ...others, permissionsBoundary: named }, {}, arnOfPolicy(String(named))],
    ['the setting with an ARN', { permissionsBoundary: arn }, {}, arn],
    ['the context of docs/how-to/deploy.md', others, context, arnOfPolicy('bank-boundary')],
    ['neither', {}, {}, undefined],
    ['a context as text, which the CDK ignores', {}, { '@aws-cdk/core:permissionsBoundary': asText }, undefined],
  ])('has the boundary that is given by %s', (_, settings, given, expected) => {
    const { data, service } = trialResources(settings, given);
    const roles = [...data, ...service].filter(({ Type }) => Type === 'AWS::IAM::Role');
    // One of each function and schedule.
    expect(roles.length).toBeGreaterThan(15);
    expect(new Set(roles.map(({ Properties }) => Properties['PermissionsBoundary']))).toEqual(new Set([expected]));
  });

  it('is created with the roles and the bucket of the bootstrap stack that the page names', () => {
    const { app, data } = createTrialApp(others, context);
    const { assumeRoleArn, stackTemplateAssetObjectUrl } = app.synth().getStackArtifact(data.artifactId);
    expect(assumeRoleArn).toContain('cdk-bank-deploy-role');
    expect(stackTemplateAssetObjectUrl).toContain('cdk-bank-assets');
  });
});
