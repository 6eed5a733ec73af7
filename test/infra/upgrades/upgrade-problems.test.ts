import { describe, expect, it } from 'vitest';
import { currentTemplates, type ReleaseTemplate, readReleases } from '#infra/upgrades/release-templates.ts';
import { upgradeProblems } from '#infra/upgrades/upgrade-problems.ts';
import { createOutputDirectory } from '#test/infra/trial-app.ts';

const releases = readReleases();

describe('an upgrade to the code as it is now', () => {
  it.each(releases)('loses nothing and can be deployed over release $version', ({ templates }) => {
    expect(upgradeProblems(templates, currentTemplates(createOutputDirectory()))).toEqual([]);
  });

  it('can start from the first release', () => {
    expect(releases.map(({ version }) => version)).toContain('0.2.0');
  });
});

const index = (name: string) => ({
  IndexName: name,
  KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'KEYS_ONLY' },
});

const resources = {
  Events: {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      KeySchema: [{ AttributeName: 'eventId', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [index('byReason')],
    },
  },
  Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'drawbridge' } },
  WebhookSecret: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'webhook' } },
  Webhooks: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: false } },
  Role: { Type: 'AWS::IAM::Role', Properties: { RoleName: 'first' } },
};
const eventsExport = { Value: { Ref: 'Events' }, Export: { Name: 'release:Events' } };
const unusedExport = { Value: { Ref: 'Bus' }, Export: { Name: 'release:Bus' } };

const data: ReleaseTemplate = { Resources: resources, Outputs: { eventsExport, unusedExport } };
const service: ReleaseTemplate = {
  Resources: {
    Store: {
      Type: 'AWS::Lambda::Function',
      Properties: { Environment: { TABLE: { 'Fn::ImportValue': 'release:Events' } } },
    },
  },
  Outputs: { ApiUrl: { Value: 'https://api.example' } },
};
const released = { data, service };

/** The data stack with changed properties of one resource. */
function withProperties(id: keyof typeof resources, properties: object): ReleaseTemplate {
  const resource = resources[id];
  return {
    ...data,
    Resources: { ...resources, [id]: { ...resource, Properties: { ...resource.Properties, ...properties } } },
  };
}

function withoutResource(id: keyof typeof resources, renamed?: string): ReleaseTemplate {
  const { [id]: removed, ...rest } = resources;
  return { ...data, Resources: renamed === undefined ? rest : { ...rest, [renamed]: removed } };
}

describe('the comparison of an upgrade with a release', () => {
  it.each([
    [
      'another partition key of a table',
      { data: withProperties('Events', { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] }) },
      'AWS::DynamoDB::Table Events is replaced, because of KeySchema: keep its id and these properties as the release has them.',
    ],
    [
      'a renamed construct of a table',
      { data: withoutResource('Events', 'Renamed') },
      'AWS::DynamoDB::Table Events is removed: keep its id and these properties as the release has them.',
    ],
    [
      'a queue that becomes a FIFO queue',
      { data: withProperties('Webhooks', { FifoQueue: true }) },
      'AWS::SQS::Queue Webhooks is replaced, because of FifoQueue: keep its id and these properties as the release has them.',
    ],
    [
      'a bus of another name',
      { data: withProperties('Bus', { Name: 'changes' }) },
      'AWS::Events::EventBus Bus is replaced, because of Name: keep its id and these properties as the release has them.',
    ],
    [
      'a removed secret',
      { data: withoutResource('WebhookSecret') },
      'AWS::SecretsManager::Secret WebhookSecret is removed: keep its id and these properties as the release has them.',
    ],
    [
      'two new indexes of a table',
      { data: withProperties('Events', { GlobalSecondaryIndexes: ['byReason', 'byType', 'byTime'].map(index) }) },
      'Indexes byType, byTime of Events are created or deleted: change one in each release.',
    ],
    [
      'an index in the place of another',
      { data: withProperties('Events', { GlobalSecondaryIndexes: [index('byType')] }) },
      'Indexes byReason, byType of Events are created or deleted: change one in each release.',
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
      'a removed output',
      { service: { ...service, Outputs: {} } },
      'Output ApiUrl is removed: scripts of operators read it, so keep it.',
    ],
    [
      'a removed export that the earlier service stack imports',
      { data: { ...data, Outputs: { unusedExport } } },
      'Export release:Events of the data stack is removed while the earlier service stack imports it: keep it with exportValue for one release.',
    ],
    [
      'an export with another value',
      { data: { ...data, Outputs: { eventsExport: { ...eventsExport, Value: { Ref: 'Bus' } } } } },
      'Export release:Events of the data stack has another value while the earlier service stack imports it: keep it with exportValue for one release.',
    ],
  ])('finds a problem with %s', (_, change, problem) => {
    expect(upgradeProblems(released, { ...released, ...change })).toEqual([problem]);
  });

  it.each([
    [
      'one new index',
      { data: withProperties('Events', { GlobalSecondaryIndexes: [index('byReason'), index('byType')] }) },
    ],
    ['a replaced role', { data: withProperties('Role', { RoleName: 'second' }) }],
    ['an export that nothing imports any more', { data: { ...data, Outputs: { eventsExport } } }],
    [
      'a new output',
      { service: { ...service, Outputs: { ...service.Outputs, DocsUrl: { Value: 'https://docs.example' } } } },
    ],
  ])('has no problem with %s', (_, change) => {
    expect(upgradeProblems(released, { ...released, ...change })).toEqual([]);
  });
});
