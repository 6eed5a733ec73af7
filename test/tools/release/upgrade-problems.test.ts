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

/** The data stack with changes of one resource. */
const withResource = (id: keyof typeof resources, changes: object) => ({
  data: { ...data, Resources: { ...resources, [id]: { ...resources[id], ...changes } } },
});

/** The data stack with changed properties of one resource. */
const withProperties = (id: keyof typeof resources, properties: object) =>
  withResource(id, { Properties: { ...resources[id].Properties, ...properties } });

const table = (properties: object) => withProperties('Events', properties);
const queue = (properties: object) => withProperties('Webhooks', properties);

function withoutResource(id: keyof typeof resources, renamed?: string) {
  const { [id]: removed, ...rest } = resources;
  return { data: { ...data, Resources: renamed === undefined ? rest : { ...rest, [renamed]: removed } } };
}

const withOutputs = (Outputs: ReleaseTemplate['Outputs']) => ({ service: { ...service, Outputs } });
const withService = (changes: ReleaseTemplate['Resources']) => ({
  service: { ...service, Resources: { ...serviceResources, ...changes } },
});
const apiOf = (id: string) => ({ ApiUrl: { Value: { 'Fn::GetAtt': [id, 'ApiEndpoint'] } } });
const otherSubscriber = { ...serviceResources.OnCall, Properties: { Endpoint: 'team@partner.example' } };
const otherKey = { KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }] };
const deletedWhenReplaced = { UpdateReplacePolicy: undefined };
const byToken = route('GET /events/{eventId}', 'JWT');
const noRecovery = { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } };
const shortSecret = { GenerateSecretString: { PasswordLength: 32 } };

describe('the comparison with every earlier release', () => {
  it.each([
    ['another partition key of a table', table(otherKey), 'Events is replaced, because of KeySchema'],
    ['a key of another type', table(attributes({ eventId: 'N', status: 'S' })), 'Key eventId'],
    ['an index key of another type', table(attributes({ eventId: 'S', status: 'N' })), 'Key status'],
    ['a renamed construct of a table', withoutResource('Events', 'Renamed'), 'Events is removed from the stack'],
    ['a table that is deleted with its stack', withResource('Events', { DeletionPolicy: 'Delete' }), 'keep Retain'],
    ['a secret that a replacement deletes', withResource('WebhookSecret', deletedWhenReplaced), 'not set'],
    ['a table without point-in-time recovery', table(noRecovery), 'no longer recovers lost rows'],
    ['a table without deletion protection', table({ DeletionProtectionEnabled: undefined }), 'refuses'],
    ['rows that no longer expire', table({ TimeToLiveSpecification: undefined }), 'no longer expires'],
    ['a queue that becomes a FIFO queue', queue({ FifoQueue: true }), 'because of FifoQueue'],
    ['the default time of messages', queue({ MessageRetentionPeriod: undefined }), 'wait for longer'],
    ['a queue without a dead-letter queue', queue({ RedrivePolicy: undefined }), 'no function can process'],
    ['an archive of fewer days', withProperties('Archive', { RetentionDays: 30 }), 'loses older events'],
    ['a log group of fewer days', withProperties('Logs', { RetentionInDays: 14 }), 'loses older log lines'],
    ['a bus of another name', withProperties('Bus', { Name: 'changes' }), 'because of Name'],
    ['a vault of another name', withProperties('Vault', { BackupVaultName: 'vault' }), 'because of BackupVaultName'],
    ['a removed secret', withoutResource('WebhookSecret'), 'WebhookSecret is removed from the stack'],
    ['a secret that is generated in another way', withProperties('WebhookSecret', shortSecret), 'gets a new value'],
    ['a secret in the template', withProperties('WebhookSecret', { SecretString: '{}' }), 'keep SecretString'],
    ['a removed output', withOutputs({}), 'Output ApiUrl is removed'],
    ['an output of another resource', withOutputs(apiOf('SecondApi')), 'Output ApiUrl is of another resource'],
    ['a removed route', withService({ Query: route('GET /events') }), 'Route GET /events/{eventId} is removed'],
    ['another authorization', withService({ Query: byToken }), 'has the authorization JWT'],
    ['a subscription to confirm again', withService({ OnCall: otherSubscriber }), 'OnCall is replaced'],
  ])('finds a problem with %s', (_, change, problem) => {
    expect(lossProblems(released, { ...released, ...change })).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    ['a replaced role', withProperties('Role', { RoleName: 'second' })],
    ['a queue that keeps messages longer', queue({ MessageRetentionPeriod: 1_209_600 })],
    ['a table that is kept in another way', withResource('Events', { DeletionPolicy: 'RetainExceptOnCreate' })],
    ['a new output, and another text around one', withOutputs({ ...apiOf('Api'), Docs: { Value: 'https://a' } })],
    ['a new route', withService({ List: route('GET /events') })],
  ])('has no problem with %s', (_, change) => {
    expect(lossProblems(released, { ...released, ...change })).toEqual([]);
  });
});

const withIndexes = (...names: readonly string[]) => table({ GlobalSecondaryIndexes: names.map(index) });
const editedIndex = { ...index('byReason'), Projection: { ProjectionType: 'ALL' } };
const otherValue = { eventsExport: { ...eventsExport, Value: { Ref: 'Bus' } } };
const withDataOutputs = (Outputs: ReleaseTemplate['Outputs']) => ({ data: { ...data, Outputs } });

describe('the comparison with a release from which operators upgrade directly', () => {
  it.each([
    ['two new indexes of a table', withIndexes('byReason', 'byType', 'byTime'), 'Indexes byType, byTime of Events'],
    ['an index in the place of another', withIndexes('byType'), 'Indexes byReason, byType of Events'],
    ['an edited index', table({ GlobalSecondaryIndexes: [editedIndex] }), 'byReason of Events is edited'],
    [
      'a removed export that the service imports',
      withDataOutputs({ unusedExport }),
      'release:Events of the data stack is',
    ],
    ['an export with another value', withDataOutputs(otherValue), 'has another value while the earlier service'],
  ])('finds a problem with %s', (_, change, problem) => {
    expect(stepProblems(released, { ...released, ...change })).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    ['one new index', withIndexes('byReason', 'byType')],
    ['an export that nothing imports any more', withDataOutputs({ eventsExport })],
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
    templates: bySettings({ ...released, ...withIndexes(...indexes) }),
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
    const without = { ...released, ...withoutResource('Vault') };
    const problems = upgradeProblems(earlier, { version: '0.4.0', templates: bySettings(without, released) });
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'From 0.2.0, with every setting',
      'From 0.3.0, with every setting',
    ]);
  });
});
