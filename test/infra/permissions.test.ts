import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Grant, grantsOf } from '#test/infra/stacks/granted-permissions.ts';
import { everySetting } from '#tools/release/every-setting.ts';
import { deployedResources, expectProperties } from './deployed-resources.ts';
import { trialResources } from './shared-trial-apps.ts';

// Which role may do which action on which resource is in docs/reference/permissions.md: a change of a grant is a line of its diff.
const service = deployedResources('service');
const functions = service.filter(({ Type }) => Type === 'AWS::Lambda::Function').map(({ name }) => name);
const schedules = service.filter(({ Type }) => Type === 'AWS::Scheduler::Schedule').map(({ name }) => name);
const roles = service.filter(({ Type }) => Type === 'AWS::IAM::Role').map(({ name }) => name);

const ofThisAccount = { StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>' } };

const textOf = ({ action, resource }: Grant) => `${action} on ${resource}`;
const grantedTo = (name: string) => grantsOf(service, `${name}/Role`).map(textOf);

describe('the service stack, by the permissions of its functions', () => {
  it.each([
    ['write the webhook secret', /^secretsmanager:Put\w+ on <WebhookSecret>/, ['WebhookIngest/Register']],
    ['read or write the platform credentials', / on <PlatformCredentials>/, ['TokenRefresher/Refresh']],
    ['write the platform token', /^secretsmanager:Put\w+ on <PlatformToken>/, ['TokenRefresher/Refresh']],
    [
      'write entities',
      /^dynamodb:(?:Put|Update|Delete|Batch\w*Write)\w* on <Entities/,
      // Reconcile updates when an entity is due, and puts none.
      ['Onboarding/ErasePerson', 'RetryUndelivered/Reconcile', 'WebhookIngest/Store'],
    ],
    [
      'put entities',
      /^dynamodb:(?:Put|Batch\w*Write)\w* on <Entities/,
      ['Onboarding/ErasePerson', 'WebhookIngest/Store'],
    ],
    [
      'publish on the bus',
      /^events:PutEvents on <Bus.Arn>$/,
      ['Onboarding/Advance', 'Onboarding/RequestEvent', 'WebhookIngest/Store'],
    ],
  ])('lets no other function %s', (_, permission, expected) => {
    expect(functions.filter((name) => grantedTo(name).some((one) => permission.test(one))).toSorted()).toEqual(
      expected,
    );
  });

  it.each([
    ['Onboarding/Api', 'the secrets', /secretsmanager|<(?:WebhookSecret|Platform)/],
    ['Onboarding/RequestEvent', 'the secrets', /secretsmanager|<(?:WebhookSecret|Platform)/],
    ['WebhookIngest/Store', 'the secrets', /secretsmanager|<(?:WebhookSecret|Platform)/],
    ['WebhookIngest/Receive', 'the tables', /dynamodb|<(?:Events|Entities|Onboardings|Persons|Checkpoints)/],
    [
      'WebhookIngest/Query',
      'writing',
      /:(?:Put|Update|Delete|Send|Batch\w*Write)(?!TraceSegments|TelemetryRecords|LogEvents)/,
    ],
  ])('keeps %s from %s', (name, _, permission) => {
    expect(grantedTo(name).filter((one) => permission.test(one))).toEqual([]);
  });

  it.each(functions)('lets %s write to its own log group, and names no wildcard', (name) => {
    const grants = grantsOf(service, `${name}/Role`);
    expect(grants.filter(({ action }) => action.startsWith('logs:')).map(textOf)).toEqual([
      `logs:CreateLogStream on <${name}/Logs.Arn>`,
      `logs:PutLogEvents on <${name}/Logs.Arn>`,
    ]);
    expect(grants.filter((grant) => textOf(grant).includes('*')).map(textOf)).toEqual([]);
  });
});

describe.each([
  ['one', ['<Key.Arn>'], ['<Key.Arn>'], ['Key']],
  ['both', ['<Key.Arn>'], ['<Key.Arn>', '<SecretsKey.Arn>'], ['AlarmsKey', 'Key']],
  ['separate', ['<Key.Arn>'], ['<SecretsKey.Arn>'], ['AlarmsKey']],
])('a grant on a key with keys: %s', (keys, ofData, ofSecrets, ofAlarms) => {
  const { data: stored, service: trial } = trialResources({ keys });
  const grants = trial
    .filter(({ Type }) => Type === 'AWS::IAM::Role')
    .flatMap(({ name }) => grantsOf(trial, name))
    .filter(({ action }) => action.startsWith('kms:'));
  const keysVia = (...services: readonly string[]) =>
    [
      ...new Set(
        grants
          .filter(({ condition }) => services.some((one) => JSON.stringify(condition).includes(`"${one}.`)))
          .map(({ resource }) => resource),
      ),
    ].toSorted();

  it('holds for the services that use the key for the function, and never for the function itself', () => {
    const expected =
      /^\{"StringLike":\{"kms:ViaService":(?:\[?"(?:dynamodb|secretsmanager|sqs)\.<AWS::Region>\.amazonaws\.com\*",?)+\]?\}\}$/;
    for (const { condition } of grants) expect(JSON.stringify(condition)).toMatch(expected);
    expect(keysVia('dynamodb', 'sqs')).toEqual(ofData);
  });

  it('is on each key that a secret may have, and a secret has the first of them', () => {
    expect(keysVia('secretsmanager')).toEqual(ofSecrets);
    expectProperties(stored, 'AWS::SecretsManager::Secret', { KmsKeyId: ofSecrets[0] });
  });

  it('lets CloudWatch use each key that the topic of the alarms has before or after the deployment', () => {
    const granted = stored.filter(
      ({ Type, Properties }) =>
        Type === 'AWS::KMS::Key' && JSON.stringify(Properties['KeyPolicy']).includes('"cloudwatch.amazonaws.com"'),
    );
    expect(granted.map(({ name }) => name).toSorted()).toEqual(ofAlarms);
    expectProperties(trial, 'Alarms/Topic', { KmsMasterKeyId: `<${ofAlarms[0]}.Arn>` });
  });
});

describe('a role', () => {
  it('belongs to one function or schedule', () => {
    expect(roles.toSorted()).toEqual([...functions, ...schedules].map((name) => `${name}/Role`).toSorted());
    for (const name of schedules) expectProperties(service, name, { 'Target.RoleArn': `<${name}/Role.Arn>` });
  });

  it.each([
    ...functions.map((name) => ({ name, by: { Principal: { Service: 'lambda.amazonaws.com' } } })),
    ...schedules.map((name) => ({
      name,
      by: { Principal: { Service: 'scheduler.amazonaws.com' }, Condition: ofThisAccount },
    })),
  ])('is assumed by its service only, and has no permission but those of its policy: $name', ({ name, by }) => {
    expectProperties(service, `${name}/Role`, {
      'AssumeRolePolicyDocument.Statement': [{ Action: 'sts:AssumeRole', Effect: 'Allow', ...by }],
      ManagedPolicyArns: undefined,
      Policies: undefined,
    });
  });

  it('has policies of its own, and no managed policy', () => {
    for (const { Type, Properties } of service) {
      if (Type === 'AWS::IAM::Policy') expect(Properties['Roles']).toHaveLength(1);
      expect(Type).not.toBe('AWS::IAM::ManagedPolicy');
    }
  });

  it('gets nothing from the policy of a resource', () => {
    const policies = service.filter(({ Type }) => /(?:Queue|Topic|Resource)Policy$/.test(Type));
    expect(policies.length).toBeGreaterThan(0);
    for (const role of roles) expect(JSON.stringify(policies)).not.toContain(`<${role}`);
  });
});

/** Who assumes a role without a condition, which no documentation says that it sends: passing the role needs iam:PassRole here. */
const trustedToAssume = ['lambda.amazonaws.com', 'backup.amazonaws.com'];

const services = z.union([z.string(), z.array(z.string())]).transform((service) => [service].flat());
const trust = z.looseObject({ Principal: z.looseObject({ Service: services }), Condition: z.unknown().optional() });
const invocation = z.looseObject({ Principal: z.string(), SourceArn: z.string() });

/** Each service that may act on a resource, and what limits the service. */
function trustsIn(value: unknown): readonly { readonly service: string; readonly limits: unknown }[] {
  if (Array.isArray(value)) return value.flatMap(trustsIn);
  if (typeof value !== 'object' || value === null) return [];
  const statement = trust.safeParse(value);
  if (statement.success) {
    const { Principal, Condition: limits } = statement.data;
    return Principal.Service.map((service) => ({ service, limits }));
  }
  return Object.values(value).flatMap(trustsIn);
}

/** By the account itself, or by the ARN of a resource: with the account in it, or of a resource of the stack. */
const limitsToAccount = [
  /"aws:SourceAccount":"<AWS::AccountId>"/,
  /"(?:aws:)?SourceArn":"(?:[^"]*:<AWS::AccountId>:|<[^"<>]+\.Arn>")/,
  /"kms:EncryptionContext:aws:logs:arn":"[^"]*:<AWS::AccountId>:/,
];

describe.each([
  ['the default settings', {}],
  ['every setting', everySetting],
])('a service of AWS, with %s', (_, settings) => {
  const { data, service: trial } = trialResources(settings);
  const trusts = [...data, ...trial].flatMap(({ id, Type, Properties }) => {
    if (Type !== 'AWS::Lambda::Permission') return trustsIn(Properties).map((found) => ({ id, ...found }));
    const { Principal, SourceArn } = invocation.parse(Properties);
    return [{ id, service: Principal, limits: { SourceArn } }];
  });

  it('acts on a resource only for this account', () => {
    const open = trusts.filter(
      ({ service: name, limits }) =>
        !(trustedToAssume.includes(name) || limitsToAccount.some((limit) => limit.test(JSON.stringify(limits) ?? ''))),
    );
    expect(open).toEqual([]);
  });

  it('is found in roles, in the policies of resources and in the permissions of functions', () => {
    const services = ['apigateway', 'events', 'scheduler', 'cloudwatch', 'lambda'].map(
      (name) => `${name}.amazonaws.com`,
    );
    expect(trusts.map(({ service: name }) => name)).toEqual(expect.arrayContaining(services));
  });
});
