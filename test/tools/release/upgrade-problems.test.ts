import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '#shared/version.ts';
import {
  currentTemplates,
  hasRelease,
  type ReleaseTemplate,
  readEarlierReleases,
  readTemplates,
  type TemplatesBySettings,
} from '#tools/release/release-templates.ts';
import { lossProblems, stepProblems, upgradeProblems } from '#tools/release/upgrade-problems.ts';

const directory = mkdtempSync(join(tmpdir(), 'drawbridge-upgrades-'));
let templates: TemplatesBySettings;
beforeAll(() => {
  templates = currentTemplates(directory);
}, 120_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The key of the code, which no upgrade depends on, changes with every line of it. */
const withoutCode = (given: TemplatesBySettings): unknown =>
  JSON.parse(JSON.stringify(given, (key, value: unknown) => (key === 'Code' ? undefined : value)));

describe('the code as it is now', () => {
  it('loses nothing, and deploys over every release from which operators upgrade', () => {
    expect(upgradeProblems(readEarlierReleases(version), { version, templates })).toEqual([]);
  });

  it.each(hasRelease(version) ? [version] : [])('has the templates that are kept of release %s', (release) => {
    expect(withoutCode(readTemplates(release)), 'run node tools/release/main.ts').toEqual(withoutCode(templates));
  });
});

const index = (name: string) => ({
  IndexName: name,
  KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'KEYS_ONLY' },
});

const attributes = (types: Readonly<Record<string, string>>) => ({
  AttributeDefinitions: Object.entries(types).map(([AttributeName, AttributeType]) => ({
    AttributeName,
    AttributeType,
  })),
});

const resources = {
  Events: {
    Type: 'AWS::DynamoDB::Table',
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      KeySchema: [{ AttributeName: 'eventId', KeyType: 'HASH' }],
      ...attributes({ eventId: 'S', status: 'S' }),
      GlobalSecondaryIndexes: [index('byReason')],
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: true,
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    },
  },
  Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'drawbridge' } },
  Archive: { Type: 'AWS::Events::Archive', Properties: { RetentionDays: 400 } },
  Logs: { Type: 'AWS::Logs::LogGroup', Properties: {} },
  WebhookSecret: {
    Type: 'AWS::SecretsManager::Secret',
    DeletionPolicy: 'RetainExceptOnCreate',
    UpdateReplacePolicy: 'Retain',
    Properties: { Name: 'webhook', GenerateSecretString: { PasswordLength: 64 } },
  },
  Webhooks: {
    Type: 'AWS::SQS::Queue',
    Properties: { FifoQueue: false, MessageRetentionPeriod: 604_800, RedrivePolicy: { maxReceiveCount: 10 } },
  },
  Vault: { Type: 'AWS::Backup::BackupVault', Properties: { BackupVaultName: 'drawbridge' } },
  Role: { Type: 'AWS::IAM::Role', Properties: { RoleName: 'first' } },
};
const eventsExport = { Value: { Ref: 'Events' }, Export: { Name: 'release:Events' } };
const unusedExport = { Value: { Ref: 'Bus' }, Export: { Name: 'release:Bus' } };

const data: ReleaseTemplate = { Resources: resources, Outputs: { eventsExport, unusedExport } };

const route = (RouteKey: string, AuthorizationType = 'AWS_IAM') => ({
  Type: 'AWS::ApiGatewayV2::Route',
  Properties: { ApiId: { Ref: 'Api' }, RouteKey, AuthorizationType },
});
const serviceResources = {
  Store: {
    Type: 'AWS::Lambda::Function',
    Properties: { Environment: { TABLE: { 'Fn::ImportValue': 'release:Events' } } },
  },
  OnCall: { Type: 'AWS::SNS::Subscription', Properties: { Endpoint: 'oncall@partner.example' } },
  Query: route('GET /events/{eventId}'),
};
const apiUrl = { Value: { 'Fn::Join': ['', [{ 'Fn::GetAtt': ['Api', 'ApiEndpoint'] }, '/']] } };
const service: ReleaseTemplate = { Resources: serviceResources, Outputs: { ApiUrl: apiUrl } };
const released = { data, service };

/** The data stack with one resource that is not as before. */
function withResource(id: keyof typeof resources, changes: object): ReleaseTemplate {
  return { ...data, Resources: { ...resources, [id]: { ...resources[id], ...changes } } };
}

/** The data stack with changed properties of one resource. */
function withProperties(id: keyof typeof resources, properties: object): ReleaseTemplate {
  return withResource(id, { Properties: { ...resources[id].Properties, ...properties } });
}

function withoutResource(id: keyof typeof resources, renamed?: string): ReleaseTemplate {
  const { [id]: removed, ...rest } = resources;
  return { ...data, Resources: renamed === undefined ? rest : { ...rest, [renamed]: removed } };
}

const kept = 'keep its id and these properties as the release has them.';
const storedOver = 'gets a new value from CloudFormation, over the one that is stored';

describe('the comparison with every earlier release', () => {
  it.each([
    [
      'another partition key of a table',
      { data: withProperties('Events', { KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }] }) },
      `AWS::DynamoDB::Table Events is replaced, because of KeySchema: ${kept}`,
    ],
    [
      'a partition key of another type',
      { data: withProperties('Events', attributes({ eventId: 'N', status: 'S' })) },
      'Key eventId of Events is of type N, and was S: add an attribute of another name.',
    ],
    [
      'the key of an index of another type',
      { data: withProperties('Events', attributes({ eventId: 'S', status: 'N' })) },
      'Key status of Events is of type N, and was S: add an attribute of another name.',
    ],
    [
      'a renamed construct of a table',
      { data: withoutResource('Events', 'Renamed') },
      `AWS::DynamoDB::Table Events is removed from the stack: ${kept}`,
    ],
    [
      'a table that is deleted with its stack',
      { data: withResource('Events', { DeletionPolicy: 'Delete' }) },
      'DeletionPolicy of AWS::DynamoDB::Table Events is Delete: keep Retain, so that its data survives.',
    ],
    [
      'a secret that a replacement deletes',
      { data: withResource('WebhookSecret', { UpdateReplacePolicy: undefined }) },
      'UpdateReplacePolicy of AWS::SecretsManager::Secret WebhookSecret is not set: keep Retain, so that its data survives.',
    ],
    [
      'a table without point-in-time recovery',
      { data: withProperties('Events', { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } }) },
      'AWS::DynamoDB::Table Events no longer recovers lost rows: keep PointInTimeRecoverySpecification as the release has it.',
    ],
    [
      'a table without deletion protection',
      { data: withProperties('Events', { DeletionProtectionEnabled: undefined }) },
      'AWS::DynamoDB::Table Events no longer refuses a deletion: keep DeletionProtectionEnabled as the release has it.',
    ],
    [
      'a table whose rows no longer expire',
      { data: withProperties('Events', { TimeToLiveSpecification: undefined }) },
      'AWS::DynamoDB::Table Events no longer expires the rows that it has: keep TimeToLiveSpecification as the release has it.',
    ],
    [
      'a queue that becomes a FIFO queue',
      { data: withProperties('Webhooks', { FifoQueue: true }) },
      `AWS::SQS::Queue Webhooks is replaced, because of FifoQueue: ${kept}`,
    ],
    [
      'a queue that keeps messages for the default time',
      { data: withProperties('Webhooks', { MessageRetentionPeriod: undefined }) },
      'AWS::SQS::Queue Webhooks loses messages that wait for longer: keep MessageRetentionPeriod as the release has it.',
    ],
    [
      'a queue without a dead-letter queue',
      { data: withProperties('Webhooks', { RedrivePolicy: undefined }) },
      'AWS::SQS::Queue Webhooks loses messages that no function can process: keep RedrivePolicy as the release has it.',
    ],
    [
      'an archive that keeps events for a shorter time',
      { data: withProperties('Archive', { RetentionDays: 30 }) },
      'AWS::Events::Archive Archive loses older events: keep RetentionDays as the release has it.',
    ],
    [
      'a log group that no longer keeps lines for ever',
      { data: withProperties('Logs', { RetentionInDays: 14 }) },
      'AWS::Logs::LogGroup Logs loses older log lines: keep RetentionInDays as the release has it.',
    ],
    [
      'a bus of another name',
      { data: withProperties('Bus', { Name: 'changes' }) },
      `AWS::Events::EventBus Bus is replaced, because of Name: ${kept}`,
    ],
    [
      'a backup vault of another name',
      { data: withProperties('Vault', { BackupVaultName: 'vault' }) },
      `AWS::Backup::BackupVault Vault is replaced, because of BackupVaultName: ${kept}`,
    ],
    [
      'a removed secret',
      { data: withoutResource('WebhookSecret') },
      `AWS::SecretsManager::Secret WebhookSecret is removed from the stack: ${kept}`,
    ],
    [
      'a secret that is generated in another way',
      { data: withProperties('WebhookSecret', { GenerateSecretString: { PasswordLength: 32 } }) },
      `AWS::SecretsManager::Secret WebhookSecret ${storedOver}: keep GenerateSecretString as the release has it.`,
    ],
    [
      'a secret with a value in the template',
      { data: withProperties('WebhookSecret', { SecretString: '{}' }) },
      `AWS::SecretsManager::Secret WebhookSecret ${storedOver}: keep SecretString as the release has it.`,
    ],
    [
      'a removed output',
      { service: { ...service, Outputs: {} } },
      'Output ApiUrl is removed: scripts of operators read it, so keep it.',
    ],
    [
      'an output of another resource',
      { service: { ...service, Outputs: { ApiUrl: { Value: { 'Fn::GetAtt': ['SecondApi', 'ApiEndpoint'] } } } } },
      'Output ApiUrl is of another resource: your systems have the address that it gave, so keep it.',
    ],
    [
      'a removed route',
      { service: { ...service, Resources: { ...serviceResources, Query: route('GET /events') } } },
      'Route GET /events/{eventId} is removed: callers would get 404, so keep it.',
    ],
    [
      'a route that asks for another authorization',
      { service: { ...service, Resources: { ...serviceResources, Query: route('GET /events/{eventId}', 'JWT') } } },
      'Route GET /events/{eventId} has the authorization JWT, and had AWS_IAM: keep it for its callers.',
    ],
    [
      'a subscription that the engineers on call would have to confirm again',
      {
        service: {
          ...service,
          Resources: {
            ...serviceResources,
            OnCall: { ...serviceResources.OnCall, Properties: { Endpoint: 'team@partner.example' } },
          },
        },
      },
      `AWS::SNS::Subscription OnCall is replaced, because of Endpoint: ${kept}`,
    ],
  ])('finds a problem with %s', (_, change, problem) => {
    expect(lossProblems(released, { ...released, ...change })).toEqual([problem]);
  });

  it.each([
    ['a replaced role', { data: withProperties('Role', { RoleName: 'second' }) }],
    ['a queue that keeps messages longer', { data: withProperties('Webhooks', { MessageRetentionPeriod: 1_209_600 }) }],
    [
      'a table that is kept in another way',
      { data: withResource('Events', { DeletionPolicy: 'RetainExceptOnCreate' }) },
    ],
    [
      'a new output, and an output with another text around the same resource',
      {
        service: {
          ...service,
          Outputs: {
            DocsUrl: { Value: 'https://docs.example' },
            ApiUrl: { Value: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] } },
          },
        },
      },
    ],
    ['a new route', { service: { ...service, Resources: { ...serviceResources, List: route('GET /events') } } }],
  ])('has no problem with %s', (_, change) => {
    expect(lossProblems(released, { ...released, ...change })).toEqual([]);
  });
});

const withIndexes = (...names: readonly string[]) => ({
  ...released,
  data: withProperties('Events', { GlobalSecondaryIndexes: names.map(index) }),
});

describe('the comparison with a release from which operators upgrade directly', () => {
  it.each([
    [
      'two new indexes of a table',
      withIndexes('byReason', 'byType', 'byTime'),
      'Indexes byType, byTime of Events are created or deleted: change one in each minor release.',
    ],
    [
      'an index in the place of another',
      withIndexes('byType'),
      'Indexes byReason, byType of Events are created or deleted: change one in each minor release.',
    ],
    [
      'an edited index',
      {
        data: withProperties('Events', {
          GlobalSecondaryIndexes: [{ ...index('byReason'), Projection: { ProjectionType: 'ALL' } }],
        }),
      },
      'Index byReason of Events is edited: add an index of another name, and remove this one later.',
    ],
    [
      'a removed export that the earlier service stack imports',
      { data: { ...data, Outputs: { unusedExport } } },
      'Export release:Events of the data stack is removed while the earlier service stack imports it: keep it with exportValue for one minor release.',
    ],
    [
      'an export with another value',
      { data: { ...data, Outputs: { eventsExport: { ...eventsExport, Value: { Ref: 'Bus' } } } } },
      'Export release:Events of the data stack has another value while the earlier service stack imports it: keep it with exportValue for one minor release.',
    ],
  ])('finds a problem with %s', (_, change, problem) => {
    expect(stepProblems(released, { ...released, ...change })).toEqual([problem]);
  });

  it.each([
    ['one new index', withIndexes('byReason', 'byType')],
    ['an export that nothing imports any more', { data: { ...data, Outputs: { eventsExport } } }],
  ])('has no problem with %s', (_, change) => {
    expect(stepProblems(released, { ...released, ...change })).toEqual([]);
  });
});

describe('the comparison of a release with all earlier ones', () => {
  const bySettings = (every: typeof released, defaults = every) => ({
    'default settings': defaults,
    'every setting': every,
  });
  const releaseOf = (of: string, ...indexes: readonly string[]) => ({
    version: of,
    templates: bySettings(withIndexes(...indexes)),
  });

  it('allows one index more in each of two minor releases', () => {
    const earlier = [releaseOf('0.2.0', 'one'), releaseOf('0.3.0', 'one', 'two')];
    expect(upgradeProblems(earlier, releaseOf('0.4.0', 'one', 'two', 'three'))).toEqual([]);
  });

  it('refuses one index more in a patch release and in the next minor release, since operators may leave out the patch', () => {
    const earlier = [releaseOf('0.9.0', 'one'), releaseOf('0.9.1', 'one', 'two')];
    const problems = upgradeProblems(earlier, releaseOf('0.10.0', 'one', 'two', 'three'));
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(/^From 0\.9\.0, with default settings: Indexes two, three of Events/);
  });

  it('finds what is lost from a release before the last one, and with every setting only', () => {
    const earlier = ['0.2.0', '0.3.0'].map((of) => ({ version: of, templates: bySettings(released) }));
    const without = { ...released, data: withoutResource('Vault') };
    const problems = upgradeProblems(earlier, { version: '0.4.0', templates: bySettings(without, released) });
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'From 0.2.0, with every setting',
      'From 0.3.0, with every setting',
    ]);
  });
});
