import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { matchesPattern, readEventPattern } from '#sandbox/aws/services/event-pattern.ts';
import { checkpointKeys } from '#shared/aws/checkpoint.ts';
import { busSource } from '#shared/bus/bus.ts';
import { entityKeys } from '#shared/entities/entity-row.ts';
import { newEventRow } from '#shared/events/event-row.ts';
import { onboardingKeys } from '#shared/onboarding/onboarding-keys.ts';
import { arnOf, deployedStack, resourcesOf, theResource } from './deployed-stack.ts';
import { statementsIn } from './policy-statements.ts';

const data = deployedStack('data');
const template = Template.fromJSON(data);
const key = theResource(data, 'AWS::KMS::Key');

function eventsTableHas(properties: Record<string, unknown>): void {
  template.hasResourceProperties('AWS::DynamoDB::Table', properties);
}

describe('the stored data', () => {
  it('is retained when the stack or the resource is removed', () => {
    for (const [id, resource] of Object.entries(data.Resources)) {
      expect(resource, id).toMatchObject({
        DeletionPolicy: expect.stringMatching(/^Retain/),
        UpdateReplacePolicy: 'Retain',
      });
    }
  });

  it('is removed when its creation is rolled back, except tables, whose deletion protection would fail the rollback', () => {
    const staying = Object.values(data.Resources).filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain');
    expect(staying.map(({ Type }) => Type)).toEqual(new Array(5).fill('AWS::DynamoDB::Table'));
  });

  it('leaves no fixed name behind when its creation is rolled back', () => {
    const staying = Object.values(data.Resources).filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain');
    for (const { Properties } of staying) expect(Properties).not.toHaveProperty('TableName');
  });

  it('is listed by type in the how-to that removes it, like the log groups of the service stack', () => {
    const page = readFileSync(join(repositoryRoot, 'docs/how-to/remove.md'), 'utf8');
    const kept = [data, deployedStack('service')].flatMap(({ Resources }) =>
      Object.values(Resources).filter(({ DeletionPolicy }) => String(DeletionPolicy).startsWith('Retain')),
    );
    const types = new Set(kept.map(({ Type }) => Type));
    expect(types).toContain('AWS::Logs::LogGroup');
    for (const type of types) expect(page).toContain(type);
  });

  it('is protected by deletion protection on every table', () => {
    template.allResourcesProperties('AWS::DynamoDB::Table', { DeletionProtectionEnabled: true });
  });

  it('is protected by termination protection of the stack', () => {
    const manifest = z
      .object({ artifacts: z.record(z.string(), z.object({ properties: z.looseObject({}).default({}) })) })
      .parse(JSON.parse(readFileSync(join(inject('assembly'), 'manifest.json'), 'utf8')));
    expect(manifest.artifacts['drawbridge-laptop-data']?.properties).toMatchObject({ terminationProtection: true });
  });

  it('has point-in-time recovery on every table', () => {
    template.allResourcesProperties('AWS::DynamoDB::Table', {
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });
});

describe('the encryption of stored data', () => {
  it('uses one key with rotation', () => {
    expect(key.Properties).toMatchObject({ EnableKeyRotation: true });
  });

  it('applies the key to every table', () => {
    template.allResourcesProperties('AWS::DynamoDB::Table', {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: arnOf(key) },
    });
  });

  it('applies the key to every secret', () => {
    template.allResourcesProperties('AWS::SecretsManager::Secret', { KmsKeyId: arnOf(key) });
  });

  it('allows only the account, its alarms, its rules and its log groups to use the key', () => {
    const account = ['arn:', { Ref: 'AWS::Partition' }, ':iam::', { Ref: 'AWS::AccountId' }, ':root'];
    const ofAccount = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
    const logGroups = [
      'arn:',
      { Ref: 'AWS::Partition' },
      ':logs:',
      { Ref: 'AWS::Region' },
      ':',
      { Ref: 'AWS::AccountId' },
      ':*',
    ];
    const ofLogGroups = { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': { 'Fn::Join': ['', logGroups] } } };
    const logs = ['logs.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }];
    const allowed = [
      [{ AWS: { 'Fn::Join': ['', account] } }, undefined],
      [{ Service: 'cloudwatch.amazonaws.com' }, ofAccount],
      [{ Service: 'events.amazonaws.com' }, ofAccount],
      [{ Service: { 'Fn::Join': ['', logs] } }, ofLogGroups],
    ];
    const statements = statementsIn(key.Properties.KeyPolicy);
    const granted = statements.map(({ Principal, Condition }) => [Principal, Condition]);
    // The policies of the account's own roles decide what each of them may do with it.
    for (const grant of granted.filter(([principal]) => !isDeepStrictEqual(principal, allowed[0]?.[0])))
      expect(allowed).toContainEqual(grant);
    for (const grant of allowed) expect(granted).toContainEqual(grant);
  });
});

describe('the partition keys of the tables', () => {
  it('partition events by their id, which is a hash', () => {
    eventsTableHas({ KeySchema: [{ AttributeName: 'eventId', KeyType: 'HASH' }] });
    eventsTableHas({ AttributeDefinitions: Match.arrayWith([{ AttributeName: 'eventId', AttributeType: 'S' }]) });
  });

  it('use on-demand capacity on every table', () => {
    template.allResourcesProperties('AWS::DynamoDB::Table', {
      BillingMode: 'PAY_PER_REQUEST',
      ProvisionedThroughput: Match.absent(),
    });
  });

  it('spread the index of quarantined events over shards, sorted by time', () => {
    eventsTableHas({
      GlobalSecondaryIndexes: [
        Match.objectLike({
          IndexName: 'quarantined',
          KeySchema: [
            { AttributeName: 'quarantineShard', KeyType: 'HASH' },
            { AttributeName: 'receivedOn', KeyType: 'RANGE' },
          ],
        }),
        {
          IndexName: 'listed',
          KeySchema: [
            { AttributeName: 'listLane', KeyType: 'HASH' },
            { AttributeName: 'receivedOn', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['eventType', 'quarantineReason', 'expiresAt'] },
        },
      ],
    });
  });

  it('keep no event in the index of all events unless the setting asks for it', () => {
    const event = { eventId: 'ab12', eventType: 'T', quarantineReason: undefined };
    const delivery = {
      ...event,
      deliveryId: '1',
      receivedOn: '2026-01-01T00:00:00.000Z',
      deflatedBody: Buffer.from(''),
    };
    expect(newEventRow(event, delivery, 1)).not.toHaveProperty('listLane');
  });
});

describe('the sparse index of quarantined events', () => {
  const event = { eventId: 'ab12', eventType: 'PROXY_NOTIFICATION' };
  const delivery = { ...event, deliveryId: '1', receivedOn: '2026-01-01T00:00:00.000Z', deflatedBody: Buffer.from('') };

  it('contains an event that is quarantined', () => {
    const row = newEventRow({ ...event, quarantineReason: 'NOT_JSON' }, delivery, 1);
    expect(row.quarantineShard).toEqual({ S: 'a' });
  });

  it('omits an event that had its effect', () => {
    expect(newEventRow({ ...event, quarantineReason: undefined }, delivery, 1)).not.toHaveProperty('quarantineShard');
  });

  it('omits the bodies of events', () => {
    eventsTableHas({
      GlobalSecondaryIndexes: [
        Match.objectLike({
          Projection: {
            ProjectionType: 'INCLUDE',
            NonKeyAttributes: ['eventType', 'quarantineReason', 'expiresAt'],
          },
        }),
        Match.anyValue(),
      ],
    });
  });
});

describe('the table of checkpoints', () => {
  const checkpoints = theResource(data, 'AWS::DynamoDB::Table', 'Checkpoints');

  it('has a row for each job, as the checkpoint writes it', () => {
    expect(checkpoints.Properties).toMatchObject({
      KeySchema: [{ AttributeName: checkpointKeys.partition, KeyType: 'HASH' }],
    });
  });

  it('has no expiry, because a checkpoint holds a pending mark', () => {
    expect(checkpoints.Properties).not.toHaveProperty('TimeToLiveSpecification');
  });
});

describe('the table of entities', () => {
  const { Properties } = theResource(data, 'AWS::DynamoDB::Table', 'Entities');
  const keys = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ];

  it('has one partition per entity with its state and events, as the entity store writes them', () => {
    expect(Properties.KeySchema).toEqual(keys(entityKeys.partition, entityKeys.sort));
  });

  it('has an index of keys of the entities to read back, and one of the list', () => {
    const { index, partition, sort } = entityKeys.readBack;
    const { listed } = entityKeys;
    expect(Properties.GlobalSecondaryIndexes).toEqual([
      { IndexName: index, KeySchema: keys(partition, sort), Projection: { ProjectionType: 'KEYS_ONLY' } },
      {
        IndexName: listed.index,
        KeySchema: keys(listed.partition, listed.sort),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['shownStatus'] },
      },
    ]);
  });

  it('has no expiry for its rows', () => {
    expect(Properties).not.toHaveProperty('TimeToLiveSpecification');
  });
});

describe('the table of onboardings', () => {
  const { Properties } = theResource(data, 'AWS::DynamoDB::Table', 'Onboardings');
  const { partition, due, person, verification, listed, timeToLive } = onboardingKeys;
  const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' });
  const keysOnly = { ProjectionType: 'KEYS_ONLY' };

  it('is partitioned by the id of the onboarding, which is a hash', () => {
    expect(Properties.KeySchema).toEqual([hash(partition)]);
  });

  it('has indexes with ids, times and the state only, without personal data', () => {
    expect(Properties.GlobalSecondaryIndexes).toEqual([
      {
        IndexName: due.index,
        KeySchema: [hash(due.partition), { AttributeName: due.sort, KeyType: 'RANGE' }],
        Projection: keysOnly,
      },
      {
        IndexName: person.index,
        KeySchema: [hash(person.partition)],
        Projection: {
          ProjectionType: 'INCLUDE',
          NonKeyAttributes: ['identificationVerificationId', 'formerVerificationIds', 'dueOn'],
        },
      },
      { IndexName: verification.index, KeySchema: [hash(verification.partition)], Projection: keysOnly },
      {
        IndexName: listed.index,
        KeySchema: [hash(listed.partition), { AttributeName: listed.sort, KeyType: 'RANGE' }],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['version', 'state', 'expiresAt'] },
      },
    ]);
  });

  it('expires by the attribute that the onboarding store writes', () => {
    expect(Properties.TimeToLiveSpecification).toEqual({ AttributeName: timeToLive, Enabled: true });
  });
});

describe('the event bus', () => {
  const bus = theResource(data, 'AWS::Events::EventBus');

  it('has the name of the environment, which rules of other stacks refer to', () => {
    expect(bus.Properties.Name).toBe('drawbridge-laptop');
  });

  it('has no resource policy that opens it to others', () => {
    expect(resourcesOf(data, 'AWS::Events::EventBusPolicy')).toEqual([]);
  });
});

describe('the archive of the event bus', () => {
  const archive = theResource(data, 'AWS::Events::Archive');
  const isArchived = (detailType: string, source: string = busSource) =>
    matchesPattern(readEventPattern(archive.Properties.EventPattern, 'Archive'), {
      source,
      'detail-type': detailType,
      detail: {},
    });

  it('keeps changes as long as their events are kept', () => {
    expect(archive.Properties).toMatchObject({
      SourceArn: arnOf(theResource(data, 'AWS::Events::EventBus')),
      RetentionDays: 90,
    });
    expect(['OrderStatusChanged', 'NaturalPersonUpdated', 'EventQuarantined'].map((type) => isArchived(type))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('omits onboarding requests, which contain personal data, and events of others (promise 8)', () => {
    expect(isArchived('OnboardingRequested')).toBe(false);
    expect(isArchived('OnboardingRequested', 'partner')).toBe(false);
    expect(isArchived('OrderStatusChanged', 'partner')).toBe(false);
  });
});

describe('the expiry of events', () => {
  it('uses the attribute that the event store writes', () => {
    eventsTableHas({ TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true } });
  });
});

describe('the webhook secret at deployment', () => {
  const secret = theResource(data, 'AWS::SecretsManager::Secret', 'WebhookSecret');

  it('starts with {"current"} and nothing else', () => {
    expect(secret.Properties.GenerateSecretString).toMatchObject({
      SecretStringTemplate: '{}',
      GenerateStringKey: 'current',
    });
  });

  it('is long and valid in an HTTP header', () => {
    expect(secret.Properties.GenerateSecretString).toMatchObject({ ExcludePunctuation: true, PasswordLength: 64 });
    expect(secret.Properties.GenerateSecretString).not.toHaveProperty('IncludeSpace');
  });

  it('is in no template, like every other secret', () => {
    expect(resourcesOf(data, 'AWS::SecretsManager::Secret').map(({ Properties }) => Properties)).not.toContainEqual(
      expect.objectContaining({ SecretString: expect.anything() }),
    );
  });
});

describe('the secret of the platform credentials (section 5.1)', () => {
  const secret = theResource(data, 'AWS::SecretsManager::Secret', 'PlatformCredentials');

  it('has an empty client id until an operator sets it', () => {
    expect(secret.Properties.GenerateSecretString).toMatchObject({
      SecretStringTemplate: '{"clientId":""}',
      GenerateStringKey: 'clientSecret',
    });
  });

  it('describes its content for the operator', () => {
    expect(secret.Properties.Description).toContain('{"clientId", "clientSecret"}');
  });
});

describe('the platform token at deployment (section 5.3)', () => {
  const secret = theResource(data, 'AWS::SecretsManager::Secret', 'PlatformToken');

  it('has expired already, so that no call uses it and the refresher replaces it', () => {
    const { SecretStringTemplate } = z
      .object({ SecretStringTemplate: z.string() })
      .parse(secret.Properties.GenerateSecretString);
    expect(JSON.parse(SecretStringTemplate)).toMatchObject({ expiresAt: '1970-01-01T00:00:00.000Z' });
    expect(secret.Properties.GenerateSecretString).toMatchObject({
      GenerateStringKey: 'accessToken',
      ExcludePunctuation: true,
    });
  });
});
